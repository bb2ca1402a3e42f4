package org.inferometer.ui.fx;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import javafx.application.Platform;
import org.inferometer.natives.NativeLibraries;

/// Starts JavaFX with native libraries that only this user can change.
public final class JavaFxStart {
    private static final String LOADER = "com/sun/glass/utils/NativeLibLoader.class";

    private JavaFxStart() {}

    /// Called once per process, before the first use of JavaFX. It ends by [Platform#exit] alone.
    ///
    /// @param first runs on the JavaFX thread
    /// @throws IOException if the native libraries cannot be written, or others would be loaded
    /// @throws UnsupportedOperationException when there is no display
    public static void start(Runnable first) throws IOException {
        Optional<Path> other = NativeLibraries.besideJar(LOADER);
        if (other.isPresent()) {
            throw new FileSystemException(other.get().toString(), null,
                    "JavaFX would load this library that is not of its jar; delete it");
        }
        NativeLibraries.ofThisUser().folderOfJar("javafx", LOADER)
                .ifPresent(folder -> System.setProperty("javafx.cachedir", folder.toString()));
        Platform.setImplicitExit(false);
        Platform.startup(first);
    }
}
