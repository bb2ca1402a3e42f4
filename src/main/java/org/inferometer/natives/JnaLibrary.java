package org.inferometer.natives;

import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Gives JNA its native library. Whoever uses a library that is built on JNA calls [#prepare] first: OSHI, and Hugging Face's tokenizers.
public final class JnaLibrary {
    private JnaLibrary() {}

    /// Names the folder of the checked library to JNA, which then looks nowhere else. Any thread may call.
    ///
    /// @throws IOException if the library cannot be written, or there is none for this system
    public static void prepare() throws IOException {
        String name = System.mapLibraryName("jnidispatch").replace(".dylib", ".jnilib");
        Path folder = NativeLibraries.ofThisUser().folder("jna",
                List.of("com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + name));
        System.setProperty("jna.boot.library.path", folder.toString());
        // Not from a file that it unpacks, and not by System.loadLibrary.
        System.setProperty("jna.noclasspath", "true");
        System.setProperty("jna.nounpack", "true");
        System.setProperty("jna.nosys", "true");
    }
}
