package org.inferometer.target.edgellm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Reads what tools wrote, and removes it.
final class ToolFiles {
    private ToolFiles() {}

    /// The whole of a small file; links, pipes and devices are refused.
    ///
    /// @param program who should have written it
    /// @throws ToolFault in one sentence where it is missing, no plain file or too long
    static byte[] read(Path file, String program, int mostBytes) throws ToolFault {
        try (InputStream in = open(file, program, mostBytes)) {
            return in.readNBytes(mostBytes);
        } catch (IOException e) {
            throw new ToolFault("What " + program + " wrote into " + file.getFileName() + " cannot be read: "
                    + e.getMessage() + ".");
        }
    }

    /// Opens a plain file that is not longer; the caller closes it.
    static InputStream open(Path file, String program, int mostBytes) throws ToolFault, IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ToolFault(program + " ended well and wrote no " + file.getFileName()
                    + "; check that its version is one that writes it.");
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ToolFault(
                    "The " + file.getFileName() + " that " + program + " left is no plain file; it is not read.");
        }
        if (Files.size(file) > mostBytes) {
            throw new ToolFault(program + " wrote more than " + (mostBytes >> 20) + " MiB into " + file.getFileName()
                    + "; it is not read.");
        }
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Removes a folder and all in it, without following links.
    static void remove(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException broken) throws IOException {
                if (broken != null) {
                    throw broken;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
