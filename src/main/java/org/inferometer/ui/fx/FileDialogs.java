package org.inferometer.ui.fx;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Asks the user for files and folders.
public interface FileDialogs {
    /// A file to save to, with the ending of the chosen type. The user has confirmed to replace an existing file.
    ///
    /// @param suggestedName file name with its ending
    /// @param types the first is selected initially
    Optional<Path> save(String title, String suggestedName, List<FileType> types);

    /// An existing file to open.
    Optional<Path> open(String title, List<FileType> types);

    /// A folder to write into.
    Optional<Path> folder(String title);

    /// @param name "PNG image"
    /// @param pattern "*.png"; several with semicolons between
    record FileType(String name, String pattern) {
        /// Adds the ending of this type unless present; replaces the ending of another type.
        ///
        /// @param others all types offered
        Path complete(Path chosen, List<FileType> others) {
            String name = String.valueOf(chosen.getFileName());
            if (has(name)) {
                return chosen;
            }
            String stem = others.stream().filter(other -> other.has(name)).findFirst()
                    .map(other -> name.substring(0, name.length() - other.ending().length())).orElse(name);
            return chosen.resolveSibling(stem + ending());
        }

        private boolean has(String name) {
            return name.toLowerCase(Locale.ROOT).endsWith(ending());
        }

        private String ending() {
            return pattern.substring(1);
        }
    }
}
