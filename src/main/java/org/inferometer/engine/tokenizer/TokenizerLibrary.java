package org.inferometer.engine.tokenizer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.inferometer.natives.JnaLibrary;
import org.inferometer.natives.NativeLibraries;
import org.inferometer.units.EnvironmentVariables;

/// The native code of Hugging Face's tokenizers.
///
/// Their loader would take a file of another user, and on some machines with a GPU it would download one. With a named file it does neither.
final class TokenizerLibrary {
    private static final String NAMED = "RUST_LIBRARY_PATH";

    private TokenizerLibrary() {}

    /// Names the checked library to its loader, unless the user named one. Any thread may call.
    ///
    /// @throws IOException if it cannot be written, or there is none for this system
    static void prepare() throws IOException {
        // The loader asks for GPUs through JNA.
        JnaLibrary.prepare();
        if (System.getProperty(NAMED) != null || EnvironmentVariables.ofProcess().value(NAMED).isPresent()) {
            return;
        }
        String system = System.getProperty("os.name");
        boolean windows = system.startsWith("Windows");
        String name = System.mapLibraryName("tokenizers");
        String folder = "native/lib/" + (windows ? "win" : system.startsWith("Mac") ? "osx" : "linux") + "-"
                + System.getProperty("os.arch").replace("amd64", "x86_64") + "/cpu/";
        Stream<String> libraries = windows
                ? Stream.of("libwinpthread-1.dll", "libgcc_s_seh-1.dll", "libstdc++-6.dll", name) : Stream.of(name);
        Path checked = NativeLibraries.ofThisUser().folder("tokenizers", libraries.map(folder::concat).toList());
        System.setProperty(NAMED, checked.resolve(name).toString());
    }
}
