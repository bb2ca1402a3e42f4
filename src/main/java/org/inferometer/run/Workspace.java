package org.inferometer.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.units.EnvironmentVariables;

/// The folders of engines, results and sample results.
///
/// @param installation folder of the installed program and its files
public record Workspace(Path root, Path installation) {
    private static final String VARIABLE = "INFEROMETER_WORKSPACE";

    /// A workspace in the installation folder.
    public Workspace(Path root) {
        this(root, root);
    }

    /// The workspace of `--workspace`, else of `INFEROMETER_WORKSPACE`, else the checkout, else the current folder. A packaged program, whose
    /// folder is not the user's, has `Inferometer` in the user's home.
    public static Workspace locate(Optional<Path> given, EnvironmentVariables environment) {
        Path installation = Path.of(System.getProperty("inferometer.home", "")).toAbsolutePath().normalize();
        Path usual = Boolean.getBoolean("inferometer.packaged")
                ? Path.of(System.getProperty("user.home"), "Inferometer") : installation;
        Path root =
                given.or(() -> environment.value(VARIABLE).filter(text -> !text.isBlank()).map(Path::of)).orElse(usual);
        return new Workspace(root.toAbsolutePath().normalize(), installation);
    }

    /// Whether the user chose the workspace, or installed the program there: only then its `.env` file is read.
    public static boolean isChosen(Optional<Path> given, EnvironmentVariables environment) {
        return given.isPresent() || environment.value(VARIABLE).filter(text -> !text.isBlank()).isPresent()
                || !System.getProperty("inferometer.home", "").isEmpty();
    }

    /// One folder per engine.
    public Path engines() {
        return root.resolve("engines");
    }

    /// The folders of engines and recipes: the workspace's, then the installation's.
    public List<Path> engineFolders() {
        return Stream.of(engines(), installation.resolve("engines")).distinct().toList();
    }

    /// One folder per experiment.
    public Path results() {
        return root.resolve("results");
    }

    /// The experiments that were saved under a name, a file each.
    public Path presets() {
        return root.resolve("presets");
    }

    /// Jars with schedulers.
    public Path plugins() {
        return root.resolve("plugins");
    }

    /// One folder per run of a suite.
    public Path suites() {
        return root.resolve("suites");
    }

    /// Recorded runs of the workspace, else of the installation.
    public Path sampleResults() {
        Path own = root.resolve("sample-results");
        return Files.isDirectory(own) ? own : installation.resolve("sample-results");
    }
}
