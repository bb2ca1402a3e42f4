package org.inferometer.ui.fx;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Asks a person for a file. The desktop's are the system's dialogs; tests answer by themselves.
public interface FileDialogs {
    /// Where to save, with the ending of the type that was chosen; an existing file was confirmed by the person.
    ///
    /// @param suggestedName file name with its ending
    /// @param types the first is chosen at the beginning
    Optional<Path> save(String title, String suggestedName, List<FileType> types);

    /// An existing file to open.
    Optional<Path> open(String title, List<FileType> types);

    /// A folder to write into.
    Optional<Path> folder(String title);

    /// @param name "PNG image"
    /// @param pattern "*.png"; several with semicolons between
    record FileType(String name, String pattern) {
        /// The name of a file of this type: as it is where it has the ending, else with it, in place of the ending of another type.
        ///
        /// @param others the types that could have been chosen
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
