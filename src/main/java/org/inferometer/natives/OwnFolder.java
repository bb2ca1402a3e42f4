package org.inferometer.natives;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileFault;

/// A folder that no other user can enter. Files stay as they were when they were checked.
///
/// @param path absolute, without links
/// @param owner of the folder and of every file that this process writes into it
/// @param isTemporary whether it is deleted when the process ends
record OwnFolder(Path path, UserPrincipal owner, boolean isTemporary) {
    private static final Set<PosixFilePermission> ONLY_OWNER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("----w--w-");
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;
    private static final Integer ROOT = 0;
    private static final int MOST_NAMES = 9;
    /// Ends the name of a file that is being written.
    static final String PART = ".part";
    private static final Duration ABANDONED = Duration.ofHours(1);

    /// The user's folder for caches; a new temporary one if it cannot be used.
    ///
    /// @param home the user's home folder
    /// @throws IOException if neither can be used; the message is a sentence
    static OwnFolder open(EnvironmentVariables environment, String home) throws IOException {
        Path cache = cache(environment, home);
        try {
            return claimed(cache, false);
        } catch (IOException unusable) {
            try {
                return claimed(Files.createTempDirectory("inferometer-native-"), true);
            } catch (IOException e) {
                throw new IOException("No folder can hold the native libraries: " + FileFault.describe(cache, unusable)
                        + "; " + FileFault.describe(e) + ". Set XDG_CACHE_HOME to a folder of your own.", e);
            }
        }
    }

    private static Path cache(EnvironmentVariables environment, String home) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.contains("win")) {
            return environment.value("LOCALAPPDATA").map(Path::of).orElse(Path.of(home)).resolve("Inferometer/native");
        }
        if (system.contains("mac")) {
            return Path.of(home, "Library/Caches/Inferometer/native");
        }
        return environment.value("XDG_CACHE_HOME").map(Path::of).filter(Path::isAbsolute)
                .orElse(Path.of(home, ".cache")).resolve("inferometer/native");
    }

    private static OwnFolder claimed(Path folder, boolean isTemporary) throws IOException {
        // An unknown home is "?", a relative path. JNA takes a list of folders.
        if (!folder.isAbsolute() || folder.toString().contains(File.pathSeparator)) {
            throw new FileSystemException(folder.toString(), null,
                    "It is not an absolute path without " + File.pathSeparator);
        }
        if (!isTemporary) {
            Path ofProgram = Objects.requireNonNull(folder.getParent());
            createParents(Objects.requireNonNull(ofProgram.getParent()));
            create(ofProgram);
            makePrivate(ofProgram);
        }
        Path usable = usable(folder, name -> true);
        Path written = Files.createTempFile(usable, "", PART);
        UserPrincipal owner = Files.getOwner(written);
        removeAbandoned(written);
        Files.delete(written);
        requireOwner(usable, owner);
        Path real = usable.toRealPath();
        for (Path above = real.getParent(); above != null; above = above.getParent()) {
            requireSafe(above, owner);
        }
        if (isTemporary) {
            real.toFile().deleteOnExit();
        }
        return new OwnFolder(real, owner, isTemporary);
    }

    /// Missing folders are created without permissions for others.
    private static void createParents(Path folder) throws IOException {
        if (hasPermissions(folder)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ONLY_OWNER));
        } else {
            Files.createDirectories(folder);
        }
    }

    /// A folder in this one, with nothing in it but these files and parts of them: a library loads what lies beside it.
    ///
    /// @param name of the folder; a number is added if that one cannot be used
    /// @throws IOException if something else has its name
    Path folder(String name, Set<String> files) throws IOException {
        Path folder = usable(path.resolve(name), entry -> files.contains(entry) || entry.endsWith(PART));
        requireOwner(folder, owner);
        if (isTemporary) {
            folder.toFile().deleteOnExit();
        }
        return folder;
    }

    /// Whether it is a file, not a link, that this user owns and nobody else can write.
    boolean isOwnFile(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(owner) && !isOpen(file);
    }

    private static boolean isOpen(Path path) throws IOException {
        return hasPermissions(path) && Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).stream()
                .anyMatch(OF_OTHERS::contains);
    }

    /// A private folder of this name, or with a number. One that others could write, or that holds anything else, is left as it is:
    /// they may have put something into it.
    private static Path usable(Path wanted, Predicate<String> isExpected) throws IOException {
        for (int i = 1; i <= MOST_NAMES; i++) {
            Path folder = i == 1 ? wanted : wanted.resolveSibling(wanted.getFileName() + "-" + i);
            if (create(folder) || (!isOpen(folder) && holdsOnly(folder, isExpected))) {
                makePrivate(folder);
                return folder;
            }
        }
        throw new FileSystemException(wanted.toString(), null,
                "Other users could write into it, or it holds other files. Delete it, and those with a number");
    }

    private static boolean holdsOnly(Path folder, Predicate<String> isExpected) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.allMatch(entry -> isExpected.test(String.valueOf(entry.getFileName())));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// Creates the folder without permissions for others. Returns false if it is there.
    private static boolean create(Path folder) throws IOException {
        try {
            if (hasPermissions(folder)) {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(ONLY_OWNER));
            } else {
                Files.createDirectory(folder);
            }
            return true;
        } catch (FileAlreadyExistsException known) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new NotDirectoryException(folder.toString());
            }
            return false;
        }
    }

    /// Removes all permissions of others.
    private static void makePrivate(Path folder) throws IOException {
        if (hasPermissions(folder)) {
            Files.getFileAttributeView(folder, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setPermissions(ONLY_OWNER);
        }
    }

    /// Parts that a killed process left.
    ///
    /// @param part a new one; the others in its folder are compared with it
    static void removeAbandoned(Path part) throws IOException {
        FileTime now = Files.getLastModifiedTime(part);
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(part.getParent(), "*" + PART)) {
            for (Path other : parts) {
                if (Files.getLastModifiedTime(other, LinkOption.NOFOLLOW_LINKS).toInstant().plus(ABANDONED)
                        .isBefore(now.toInstant())) {
                    Files.deleteIfExists(other);
                }
            }
        }
    }

    private static void requireOwner(Path folder, UserPrincipal owner) throws IOException {
        if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(owner)) {
            throw new AccessDeniedException(folder.toString());
        }
    }

    /// Refuses a folder above whose owner or writers could replace this one. In a sticky folder of root they cannot.
    private static void requireSafe(Path above, UserPrincipal owner) throws IOException {
        if (!hasPermissions(above)) {
            return;
        }
        int mode = (int) Files.getAttribute(above, "unix:mode");
        boolean isOfRoot = Files.getAttribute(above, "unix:uid").equals(ROOT);
        if (!isOfRoot && !Files.getOwner(above).equals(owner)) {
            throw new FileSystemException(above.toString(), null, "Another user can replace what lies in it");
        }
        if ((mode & WRITABLE_BY_OTHERS) != 0 && !(isOfRoot && (mode & STICKY) != 0)) {
            throw new FileSystemException(above.toString(), null, "Other users can replace what lies in it");
        }
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }
}
