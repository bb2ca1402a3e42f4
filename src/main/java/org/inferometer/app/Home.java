package org.inferometer.app;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.run.Workspace;

/// Where the program's folders are: the workspace, and the settings that belong to the person rather than to a workspace.
final class Home {
    private static final String VARIABLE = "INFEROMETER_WORKSPACE";

    private Home() {}

    /// What `--workspace` says, else what the environment says, else the checkout or installation, else the current folder.
    static Workspace workspace(Optional<Path> asked) {
        Path installation = Path.of(System.getProperty("inferometer.home", "")).toAbsolutePath().normalize();
        Path root = asked
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)).filter(text -> !text.isBlank()).map(Path::of))
                .orElse(installation);
        return new Workspace(root.toAbsolutePath().normalize(), installation);
    }

    /// The settings file, where the system keeps such files.
    static Path settingsFile() {
        String system = System.getProperty("os.name", "").toLowerCase(java.util.Locale.ROOT);
        Path home = Path.of(System.getProperty("user.home", "."));
        if (system.contains("win")) {
            return Optional.ofNullable(System.getenv("APPDATA")).map(Path::of).orElse(home)
                    .resolve("Inferometer/settings.properties");
        }
        if (system.contains("mac")) {
            return home.resolve("Library/Application Support/Inferometer/settings.properties");
        }
        return Optional.ofNullable(System.getenv("XDG_CONFIG_HOME")).filter(text -> !text.isBlank()).map(Path::of)
                .orElse(home.resolve(".config")).resolve("inferometer/settings.properties");
    }
}
