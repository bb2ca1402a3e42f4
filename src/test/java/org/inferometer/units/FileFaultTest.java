package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFaultTest {
    @TempDir
    Path folder;

    @Test
    void failedAccessesNamePathAndReason() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        Path latin = Files.write(folder.resolve("latin"), new byte[]{(byte) 0xff});
        Path missing = folder.resolve("missing");
        FileChannel closed = FileChannel.open(file);
        closed.close();
        assertThat(described(() -> Files.newInputStream(missing).close()))
                .isEqualTo(missing + ": No such file or folder");
        assertThat(described(() -> Files.createDirectory(file)))
                .isEqualTo(file + ": A file of this name exists already");
        assertThat(described(() -> Files.newDirectoryStream(file).close())).isEqualTo(file + ": It is not a folder");
        assertThat(described(() -> Files.delete(folder))).isEqualTo(folder + ": The folder is not empty");
        assertThat(described(() -> Files.newInputStream(file.resolve("below")).close()))
                .isEqualTo(file.resolve("below") + ": Not a directory");
        assertThat(described(() -> Files.readString(latin))).isEqualTo("unknown: The text is not valid UTF-8");
        assertThat(described(closed::size)).isEqualTo("unknown: The file was closed, or its thread was interrupted");
        assertThat(FileFault.describe(file, new IOException())).isEqualTo(file + ": IOException");
    }

    @Test
    void pathInTheMessageIsNotRepeated() {
        assertThat(FileFault.describe(Path.of("a/b"), new IOException("a/b: The file is too large.")))
                .isEqualTo("a/b: The file is too large");
    }

    @Test
    void sentencesSayWhatToDo() {
        assertThat(FileFault.sentence(new FileSystemException("a/b", null, "No space left on device")))
                .isEqualTo("a/b: No space left on device. Free disk space or choose another folder.");
        assertThat(FileFault.sentence(new AccessDeniedException("a/b")))
                .isEqualTo("a/b: Permission denied. Check the permissions of the file and its folder.");
        assertThat(FileFault.sentence(FileFault.at(Path.of("a/b"), new IOException("Input/output error"))))
                .isEqualTo("a/b: Input/output error. Check the disk.");
    }

    private static String described(ThrowingCallable access) {
        return FileFault.describe(Path.of("unknown"), catchThrowableOfType(IOException.class, access));
    }
}
