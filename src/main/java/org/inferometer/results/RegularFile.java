package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/// Accepts regular files only: no links, no pipes.
final class RegularFile {
    private RegularFile() {}

    /// The file itself.
    ///
    /// @throws ResultFormatException if it is missing or not a regular file
    static Path require(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ResultFormatException(file, "the file is missing.");
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ResultFormatException(file,
                    "this is not a regular file. A record cannot hold links, pipes or folders here.");
        }
        return file;
    }

    /// Whether the file is missing; adds a note if so.
    static boolean isMissing(Path file, List<String> notes) {
        boolean missing = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        if (missing) {
            notes.add(file.getFileName() + " is missing.");
        }
        return missing;
    }
}
