package org.inferometer.target.edgellm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.inferometer.target.edgellm.Tool.ToolFailure;
import org.inferometer.units.FileFault;

/// Reads the files of tools.
final class ToolFiles {
    private ToolFiles() {}

    /// The content of a small file; links, pipes and devices are refused.
    ///
    /// @param program that wrote it
    /// @throws ToolFailure if it is missing, not a regular file or too long
    static byte[] read(Path file, String program, int mostBytes) throws ToolFailure {
        try (InputStream in = open(file, program, mostBytes)) {
            return in.readNBytes(mostBytes);
        } catch (IOException e) {
            throw new ToolFailure(
                    file.getFileName() + " of " + program + " cannot be read: " + FileFault.describe(file, e) + ".");
        }
    }

    /// Opens a regular file of bounded size; the caller closes it.
    static InputStream open(Path file, String program, int mostBytes) throws ToolFailure, IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ToolFailure(program + " wrote no " + file.getFileName() + ". Check the version of the tool.");
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ToolFailure("The " + file.getFileName() + " that " + program + " left is not a regular file.");
        }
        if (Files.size(file) > mostBytes) {
            throw new ToolFailure(program + " wrote more than " + (mostBytes >> 20) + " MiB into " + file.getFileName()
                    + "; it is not read.");
        }
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }
}
