package org.inferometer.ui.fx;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.inferometer.units.LetterCase;

/// Asks the user for files and folders.
public interface FileDialogs {
    /// A file to save to, with the ending that was typed, else of the chosen type. The ending may be of no type. The user has
    /// confirmed to replace an existing file.
    ///
    /// @param suggestedName file name with the ending of the first type
    /// @param types the first is selected initially
    Optional<Path> save(String title, String suggestedName, List<FileType> types);

    /// An existing file to open.
    Optional<Path> open(String title, List<FileType> types);

    /// A folder to write into.
    Optional<Path> folder(String title);

    /// @param name "PNG image"
    /// @param pattern "*.png"; several with semicolons between
    record FileType(String name, String pattern) {
        /// ".jpg", but not ".2" or ".continuous".
        private static final Pattern ENDING = Pattern.compile("\\.[A-Za-z][A-Za-z0-9]{1,4}$");

        /// Adds the ending of this type to a name without one, and replaces the ending of the suggested name. Other endings stay.
        ///
        /// @param offered all types
        public Path complete(Path chosen, String suggestedName, List<FileType> offered) {
            String name = String.valueOf(chosen.getFileName());
            if (name.equals(suggestedName)) {
                String stem = offered.stream().filter(other -> other.has(name)).findFirst()
                        .map(other -> name.substring(0, name.length() - other.ending().length())).orElse(name);
                return chosen.resolveSibling(stem + ending());
            }
            return ENDING.matcher(name).find() || offered.stream().anyMatch(other -> other.has(name)) ? chosen
                    : chosen.resolveSibling(name + ending());
        }

        private boolean has(String name) {
            return LetterCase.lower(name).endsWith(ending());
        }

        private String ending() {
            return pattern.substring(1);
        }
    }
}
