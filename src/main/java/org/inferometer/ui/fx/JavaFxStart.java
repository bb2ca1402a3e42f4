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
    private static final String EDGE_ROWS = "prism.marlin.subPixel_log2_Y";
    private static final String FOUR = "2";

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
        halveEdgeSampling();
        Platform.setImplicitExit(false);
        Platform.startup(first);
    }

    /// Asks JavaFX's software renderer to look at four rows of a pixel for the edges of shapes, unless the user asked for another number.
    /// Edges are most of what live charts cost; four rows in place of eight take half the time for them. Columns stay 256.
    static void halveEdgeSampling() {
        if (System.getProperty(EDGE_ROWS) == null) {
            System.setProperty(EDGE_ROWS, FOUR);
        }
    }
}
