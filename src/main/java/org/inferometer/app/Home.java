package org.inferometer.app;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.run.Workspace;

/// The locations of the workspace and of the user's settings.
final class Home {
    private static final String VARIABLE = "INFEROMETER_WORKSPACE";

    private Home() {}

    /// The workspace of `--workspace`, else of `INFEROMETER_WORKSPACE`, else the checkout or installation, else the current folder.
    static Workspace workspace(Optional<Path> given) {
        Path installation = Path.of(System.getProperty("inferometer.home", "")).toAbsolutePath().normalize();
        Path root = given
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)).filter(text -> !text.isBlank()).map(Path::of))
                .orElse(installation);
        return new Workspace(root.toAbsolutePath().normalize(), installation);
    }

    /// The user's settings file, in the standard place of the operating system.
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
