package org.inferometer.ui.fx;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Asks a person for a file. The desktop's are the system's dialogs; tests answer by themselves.
public interface FileDialogs {
    /// Where to save; an existing file was confirmed by the person.
    ///
    /// @param suggestedName file name with its ending
    Optional<Path> save(String title, String suggestedName, List<FileType> types);

    /// An existing file to open.
    Optional<Path> open(String title, List<FileType> types);

    /// A folder to write into.
    Optional<Path> folder(String title);

    /// @param name "PNG image"
    /// @param pattern "*.png"; several with semicolons between
    record FileType(String name, String pattern) {}
}
