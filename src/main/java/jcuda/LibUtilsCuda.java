package jcuda;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.natives.NativeLibraries;

/// Loads JCuda's native libraries from files that only this user can change.
///
/// It stands before JCuda's class of this name on the class path. That one loads what lies in the folder of temporary files under the
/// library's name, whoever put it there, and no setting keeps it from that.
@SuppressWarnings("restricted")
public final class LibUtilsCuda {
    private LibUtilsCuda() {}

    /// The checked file of a library. `CudaDriverProbe` calls it, so that JCuda is not used where its own class came first.
    ///
    /// @param libraryName without prefix and suffix: "JCudaDriver-12.6.0-linux-x86_64"
    /// @throws java.io.FileNotFoundException if there is none for this system
    /// @throws IOException if the file cannot be written
    public static Path file(String libraryName) throws IOException {
        String name = System.mapLibraryName(libraryName);
        return NativeLibraries.ofThisUser().folder(libraryName, List.of("lib/" + name)).resolve(name);
    }

    /// JCuda calls it.
    ///
    /// @param dependentLibraryNames JCuda names none
    /// @throws UnsatisfiedLinkError if the library cannot be loaded
    public static void loadLibrary(String libraryName, String... dependentLibraryNames) {
        try {
            System.load(file(libraryName).toString());
        } catch (IOException e) {
            throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(e.getMessage()).initCause(e);
        }
    }
}
