package org.inferometer.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What stands at the place of a native library before it is loaded.
class NativeLibrariesTest {
    private static final String NAME = "libjnidispatch.so";
    private static final String ENTRY = "com/sun/jna/linux-x86-64/" + NAME;

    @TempDir
    Path cache;
    private Path own;
    private byte[] packaged;

    @BeforeEach
    void readPackaged() throws IOException {
        assumeTrue(Files.getFileStore(cache).supportsFileAttributeView("posix"), "Permissions are those of POSIX.");
        own = cache.resolve("inferometer/native");
        try (InputStream entry = NativeLibrariesTest.class.getResourceAsStream("/" + ENTRY)) {
            packaged = entry.readAllBytes();
        }
    }

    /// As a new process does.
    private Path provided() throws IOException {
        return libraries().folder("jna", List.of(ENTRY)).resolve(NAME);
    }

    private NativeLibraries libraries() {
        return new NativeLibraries(
                new EnvironmentVariables(Map.of("XDG_CACHE_HOME", cache.toString()), Map.of(), List.of()),
                "/nonexistent");
    }

    private void requirePackaged(Path file) throws IOException {
        assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(Files.readAllBytes(file)).isEqualTo(packaged);
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void onlyTheUserCanEnterTheFolder() throws IOException {
        Path file = provided();
        requirePackaged(file);
        assertThat(file).startsWith(own.toRealPath());
        assertThat(List.of(permissions(own), permissions(file.getParent()), permissions(file)))
                .containsExactly("rwx------", "rwx------", "rw-------");
    }

    @Test
    void aCheckedFileIsLeftAsItIs() throws IOException {
        FileTime longAgo = FileTime.fromMillis(0);
        Files.setLastModifiedTime(provided(), longAgo);
        assertThat(Files.getLastModifiedTime(provided())).isEqualTo(longAgo);
    }

    @Test
    void aFileThatWasCutIsReplaced() throws IOException {
        Path file = provided();
        Files.write(file, new byte[0]);
        requirePackaged(provided());
    }

    @Test
    void aFileWithAnotherByteIsReplaced() throws IOException {
        Path file = provided();
        byte[] other = packaged.clone();
        other[other.length - 1] ^= 1;
        Files.write(file, other);
        requirePackaged(provided());
    }

    @Test
    void aLinkIsReplacedAndItsTargetStays() throws IOException {
        Path file = provided();
        Path target = Files.write(cache.resolve("target"), packaged);
        Files.delete(file);
        Files.createSymbolicLink(file, target);
        requirePackaged(provided());
        Files.delete(target);
        requirePackaged(file);
    }

    @Test
    void aFileThatOthersCanWriteIsReplaced() throws IOException {
        Path file = provided();
        Object before = Files.getAttribute(file, "unix:ino");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(Files.getAttribute(provided(), "unix:ino")).isNotEqualTo(before);
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jna"})
    void aFolderThatWasOpenIsNotUsed(String inside) throws IOException {
        Path folder = inside.isEmpty() ? own : provided().getParent();
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path planted = Files.createFile(folder.resolve("libstdc++.so.6"));
        Path file = provided();
        requirePackaged(file);
        assertThat(file).startsWith(cache.toRealPath());
        assertThat(file.startsWith(folder)).isFalse();
        assertThat(provided()).isEqualTo(file);
        assertThat(planted).exists();
        assertThat(permissions(file.getParent())).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"libstdc++.so.6", "glibc-hwcaps/x86-64-v3/libstdc++.so.6"})
    void aFolderWithAnotherFileIsNotUsed(String planted) throws IOException {
        Path folder = provided().getParent();
        Path file = folder.resolve(planted);
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        requirePackaged(provided());
        assertThat(provided()).startsWith(own.toRealPath());
        assertThat(provided().startsWith(folder)).isFalse();
    }

    @Test
    void whereEveryNameIsTakenTheSentenceSaysWhatToDo() throws IOException {
        Path folder = provided().getParent();
        for (int i = 1; i <= 9; i++) {
            Path taken = i == 1 ? folder : Files.createDirectory(folder.resolveSibling(folder.getFileName() + "-" + i));
            Files.createFile(taken.resolve("other"));
        }
        assertThatThrownBy(this::provided).isInstanceOf(FileSystemException.class).hasMessage(folder
                + ": Other users could write into it, or it holds other files. Delete it, and those with a number");
    }

    @Test
    void whatAKilledStartLeftInTheFolderIsRemoved() throws IOException {
        provided();
        Path left = Files.createFile(own.resolve("1.part"));
        Files.setLastModifiedTime(left, FileTime.fromMillis(0));
        Path fresh = Files.createFile(own.resolve("2.part"));
        provided();
        assertThat(left).doesNotExist();
        assertThat(fresh).exists();
    }

    @Test
    void theFolderOfAnotherUserIsNotUsed() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "Only root can give a folder to another user.");
        provided();
        Files.setAttribute(own, "unix:uid", 12345);
        requireTemporary(provided());
    }

    @Test
    void aLinkInPlaceOfTheFolderIsNotUsed() throws IOException {
        Files.createDirectories(own.getParent());
        Files.createSymbolicLink(own, Files.createDirectory(cache.resolve("elsewhere")));
        requireTemporary(provided());
        assertThat(cache.resolve("elsewhere")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwxr-x", "rwxr-xrwx"})
    void aCacheThatOthersCanWriteIsNotUsed(String permissions) throws IOException {
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString(permissions));
        requireTemporary(provided());
    }

    @Test
    void aFolderAboveThatOthersCanWriteIsNotUsed() throws IOException {
        Path home = Files.createDirectory(cache.resolve("home"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxr-x"));
        requireTemporary(new NativeLibraries(EnvironmentVariables.NONE, home.toString()).folder("jna", List.of(ENTRY))
                .resolve(NAME));
        assertThat(permissions(home.resolve(".cache"))).isEqualTo("rwx------");
    }

    @Test
    void aFolderAboveOfAnotherUserIsNotUsed() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "Only root can give a folder to another user.");
        Files.setAttribute(cache, "unix:uid", 12345);
        requireTemporary(provided());
    }

    @Test
    void aStickyFolderThatIsNotOfRootIsNotUsed() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "Only root can give a folder to another user.");
        Files.setAttribute(cache, "unix:mode", 01777);
        requirePackaged(provided());
        assertThat(provided()).startsWith(own.toRealPath());
        Files.setAttribute(cache, "unix:uid", 12345);
        requireTemporary(provided());
    }

    @Test
    void theFolderOfTheProgramIsClosed() throws IOException {
        Path program = Files.createDirectory(cache.resolve("inferometer"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThat(provided()).startsWith(own.toRealPath());
        assertThat(permissions(program)).isEqualTo("rwx------");
    }

    private void requireTemporary(Path file) throws IOException {
        requirePackaged(file);
        assertThat(file.getParent().getParent().getFileName().toString()).startsWith("inferometer-native-");
        assertThat(permissions(file.getParent().getParent())).isEqualTo("rwx------");
    }

    @Test
    void anUnknownHomeIsNoFolderHere() throws IOException {
        Path file = new NativeLibraries(EnvironmentVariables.NONE, "?").folder("jna", List.of(ENTRY)).resolve(NAME);
        requireTemporary(file);
        assertThat(Path.of("?")).doesNotExist();
    }

    @Test
    void whatAKilledWriterLeftIsRemoved() throws IOException {
        Path file = provided();
        Path left = Files.createFile(file.resolveSibling(NAME + "1.part"));
        Path fresh = Files.createFile(file.resolveSibling(NAME + "2.part"));
        Files.setLastModifiedTime(left,
                FileTime.from(Files.getLastModifiedTime(fresh).toInstant().minus(Duration.ofDays(1))));
        Files.delete(file);
        provided();
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactlyInAnyOrder(file, fresh);
        }
    }

    @Test
    void aLargeLibraryWithOneOtherByteIsReplaced() throws IOException {
        String entry = "org/bytedeco/dnnl/linux-x86_64/libdnnl.so.3";
        assumeTrue(getClass().getResource("/" + entry) != null, "oneDNN is part of the program on Linux x86-64 alone.");
        Path file = libraries().folder("onednn", List.of(entry)).resolve("libdnnl.so.3");
        long asPackaged = crc(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[]{77}), channel.size() / 2);
        }
        assertThat(crc(file)).isNotEqualTo(asPackaged);
        libraries().folder("onednn", List.of(entry));
        assertThat(crc(file)).isEqualTo(asPackaged);
    }

    private static long crc(Path file) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(file));
        return sum.getValue();
    }

    @Test
    void anEntryThatNoJarHasIsNamed() {
        assertThatThrownBy(() -> libraries().folder("x", List.of("lib/libx.so")))
                .isInstanceOf(FileNotFoundException.class).hasMessage("lib/libx.so is not on the class path");
    }
}
