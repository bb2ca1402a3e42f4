package org.inferometer.units;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies or deletes a folder and its content. Follows no links.
public final class FolderTree {
    /// Each level keeps a folder open. Nothing that is written here has more than ten.
    private static final int MOST_LEVELS = 1000;

    private FolderTree() {}

    /// Copies folders and ordinary files; links and other entries are left out.
    ///
    /// @param to exists and is empty
    /// @throws IOException if a file cannot be read or written
    public static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(visited)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// Deletes the folder if it exists; a link in its place is deleted itself.
    ///
    /// Where the system can, each folder is opened inside its parent, so that one which is replaced by a link meanwhile leads nowhere.
    ///
    /// @throws IOException if a file cannot be removed, or a folder lies too deep
    public static void delete(Path folder) throws IOException {
        delete(folder, null);
    }

    /// As [#delete], but nothing of another user, and nothing in a folder that others can write.
    ///
    /// @throws IOException also at the first entry that is not deleted; what was deleted before is gone
    public static void deleteOwn(Path folder) throws IOException {
        delete(folder, OwnFiles.hasUsers(folder) ? OwnFiles.me() : null);
    }

    private static void delete(Path folder, @Nullable UserPrincipal owner) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path absolute = folder.toAbsolutePath();
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new IOException(folder + " is the root of a disk. It is not deleted.");
        }
        try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
            if (above instanceof SecureDirectoryStream<Path> secure) {
                delete(secure, absolute.getFileName(), MOST_LEVELS, owner);
            } else {
                deleteByPath(folder, owner);
            }
        }
    }

    /// Deletes an entry of an open folder.
    ///
    /// @param levels below the entry that may be deleted
    /// @param owner of all entries; null for any
    static void delete(SecureDirectoryStream<Path> parent, Path name, int levels, @Nullable UserPrincipal owner)
            throws IOException {
        if (levels == 0) {
            throw new IOException(name + " lies more than " + MOST_LEVELS + " folders deep. It is not deleted.");
        }
        if (owner != null) {
            OwnFiles.requireOwn(name,
                    parent.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                            .readAttributes(),
                    owner);
        }
        if (!parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS).readAttributes()
                .isDirectory()) {
            parent.deleteFile(name);
            return;
        }
        try (SecureDirectoryStream<Path> inside = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path child : inside) {
                delete(inside, child.getFileName(), levels - 1, owner);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        parent.deleteDirectory(name);
    }

    /// The entries of a folder.
    ///
    /// @throws IOException also if a link is in its place, where the system can tell
    static List<Path> entries(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        Path parent = absolute.getParent();
        if (parent != null) {
            try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
                if (above instanceof SecureDirectoryStream<Path> secure) {
                    try (DirectoryStream<Path> inside =
                            secure.newDirectoryStream(absolute.getFileName(), LinkOption.NOFOLLOW_LINKS)) {
                        return entries(folder, inside);
                    }
                }
            }
        }
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            return entries(folder, inside);
        }
    }

    private static List<Path> entries(Path folder, DirectoryStream<Path> inside) throws IOException {
        List<Path> entries = new ArrayList<>();
        try {
            inside.forEach(entry -> entries.add(folder.resolve(entry.getFileName())));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return entries;
    }

    private static void deleteByPath(Path folder, @Nullable UserPrincipal owner) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) throws IOException {
                check(visited);
                return FileVisitResult.CONTINUE;
            }

            private void check(Path entry) throws IOException {
                if (owner != null) {
                    OwnFiles.requireOwn(entry,
                            Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS), owner);
                }
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                check(file);
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
