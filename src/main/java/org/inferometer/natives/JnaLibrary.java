package org.inferometer.natives;

import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The native library of JNA. OSHI and Hugging Face's tokenizers use JNA: call [#prepare] before them.
public final class JnaLibrary {
    private JnaLibrary() {}

    /// Gives JNA the folder of the checked library; JNA then looks nowhere else. Any thread may call.
    ///
    /// @throws IOException if the library cannot be written, or there is none for this system
    public static void prepare() throws IOException {
        String name = System.mapLibraryName("jnidispatch").replace(".dylib", ".jnilib");
        Path folder = NativeLibraries.ofThisUser().folder("jna",
                List.of("com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + name));
        System.setProperty("jna.boot.library.path", folder.toString());
        // JNA neither unpacks a file nor calls System.loadLibrary.
        System.setProperty("jna.noclasspath", "true");
        System.setProperty("jna.nounpack", "true");
        System.setProperty("jna.nosys", "true");
    }
}
