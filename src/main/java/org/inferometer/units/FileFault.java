package org.inferometer.units;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Describes failed file accesses with path and reason. Java's own messages often lack one of them.
public final class FileFault {
    // Linux and macOS, quotas, Windows
    private static final Pattern NO_SPACE =
            Pattern.compile("No space left|quota exceeded|not enough space", Pattern.CASE_INSENSITIVE);

    private FileFault() {}

    /// "/results/run-000/steps.csv: No space left on device", without a period at the end.
    ///
    /// @param file used if the exception names no path
    public static String describe(Path file, IOException fault) {
        String path = path(fault);
        String reason = reason(fault);
        // Exceptions of this program name the file in their message.
        return path == null && reason.contains(file.toString()) ? reason
                : (path == null ? file.toString() : path) + ": " + reason;
    }

    /// The path and the reason; the reason alone if the exception names no path.
    public static String describe(IOException fault) {
        String path = path(fault);
        return (path == null ? "" : path + ": ") + reason(fault);
    }

    /// A sentence with path and reason, and what to do where the reason tells.
    public static String sentence(IOException fault) {
        String reason = reason(fault);
        String remedy = fault instanceof AccessDeniedException || reason.contains("Read-only file system")
                ? " Check the permissions of the file and its folder."
                : NO_SPACE.matcher(reason).find() ? " Free disk space or choose another folder."
                : reason.contains("Input/output error") ? " Check the disk."
                : reason.contains("Too many open files") ? " Raise the limit of open files (ulimit -n)."
                : "";
        return describe(fault) + "." + remedy;
    }

    /// An exception with path and reason in its message and this one as its cause.
    public static FileSystemException at(Path file, IOException fault) {
        FileSystemException named = new FileSystemException(file.toString(), null, reason(fault));
        named.initCause(fault);
        return named;
    }

    /// The reason without the path and without a period at the end: "No space left on device".
    public static String reason(IOException fault) {
        String stated = Objects.requireNonNullElse(
                fault instanceof FileSystemException named ? named.getReason() : fault.getMessage(), "");
        return switch (fault) {
            case NoSuchFileException _ -> "No such file or folder";
            case AccessDeniedException _ -> "Permission denied";
            case FileAlreadyExistsException _ when stated.isEmpty() -> "A file of this name exists already";
            case NotDirectoryException _ -> "It is not a folder";
            case DirectoryNotEmptyException _ -> "The folder is not empty";
            case CharacterCodingException _ -> "The text is not valid UTF-8";
            case EOFException _ -> "The file ends too early";
            case ClosedChannelException _ -> "The file was closed, or its thread was interrupted";
            case IOException _ when stated.isBlank() -> fault.getClass().getSimpleName();
            default -> {
                String line = OneLine.of(stated, 1000);
                yield line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
            }
        };
    }

    private static @Nullable String path(IOException fault) {
        return fault instanceof FileSystemException named ? named.getFile() : null;
    }
}
