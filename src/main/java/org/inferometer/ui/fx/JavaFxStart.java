package org.inferometer.ui.fx;

import java.io.IOException;
import java.io.UncheckedIOException;
import javafx.application.Platform;
import org.inferometer.natives.NativeLibraries;

/// Starts JavaFX with native libraries that only this user can change.
public final class JavaFxStart {
    private JavaFxStart() {}

    /// Called once per process, before the first use of JavaFX. It ends by [Platform#exit] alone.
    ///
    /// @param first runs on the JavaFX thread
    /// @throws UncheckedIOException if the native libraries cannot be written
    /// @throws UnsupportedOperationException when there is no display
    public static void start(Runnable first) {
        try {
            NativeLibraries.ofThisUser().folderOfJar("javafx", "com/sun/glass/utils/NativeLibLoader.class")
                    .ifPresent(folder -> System.setProperty("javafx.cachedir", folder.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Platform.setImplicitExit(false);
        Platform.startup(first);
    }
}
