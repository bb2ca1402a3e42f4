package org.inferometer.natives;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
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
            makePrivate(ofProgram);
        }
        makePrivate(folder);
        Path written = Files.createTempFile(folder, "", ".part");
        UserPrincipal owner = Files.getOwner(written);
        Files.delete(written);
        requireOwner(folder, owner);
        Path real = folder.toRealPath();
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

    /// A folder in this one.
    ///
    /// @throws IOException if something else has its name
    Path folder(String name) throws IOException {
        Path folder = path.resolve(name);
        makePrivate(folder);
        requireOwner(folder, owner);
        if (isTemporary) {
            folder.toFile().deleteOnExit();
        }
        return folder;
    }

    /// Whether it is a file, not a link, that this user owns and nobody else can write.
    boolean isOwnFile(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(owner)
                && (!hasPermissions(file) || Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).stream()
                        .noneMatch(OF_OTHERS::contains));
    }

    /// Creates the folder if it is missing, and removes all permissions of others.
    private static void makePrivate(Path folder) throws IOException {
        try {
            if (hasPermissions(folder)) {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(ONLY_OWNER));
            } else {
                Files.createDirectory(folder);
            }
        } catch (FileAlreadyExistsException known) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new NotDirectoryException(folder.toString());
            }
        }
        if (hasPermissions(folder)) {
            Files.getFileAttributeView(folder, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setPermissions(ONLY_OWNER);
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
