package org.inferometer.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Tells what belongs to this user, and in which folders nobody else can exchange an entry.
///
/// Where the system has no numbers of users (Windows), everything counts as this user's.
public final class OwnFiles {
    private static final int ROOT = 0;
    private static final int STICKY = 01000;
    /// The mask of an access control list stands in place of the group.
    private static final int WRITTEN_BY_OTHERS = 022;
    private static final Set<PosixFilePermission> OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final Path PROCESS = Path.of("/proc/self");
    private static final int MOST_LINKS = 40;

    private OwnFiles() {}

    /// Refuses to delete what is not [#isSafe].
    ///
    /// @throws IOException with a sentence
    public static void requireSafe(Path file) throws IOException {
        if (!isSafe(file)) {
            throw new IOException(file + " can be replaced by another user. It is not deleted.");
        }
    }

    /// Whether a file or folder belongs to this user, and no other user can exchange it or what lies in it.
    public static boolean isSafe(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path folder = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) ? absolute
                : Objects.requireNonNullElse(absolute.getParent(), absolute);
        return isOwn(file) && isGuarded(folder);
    }

    /// Whether only the owner of a file may write it, under one name.
    public static boolean isWrittenByOwnerOnly(Path file) throws IOException {
        if (!hasUsers(file)) {
            return true;
        }
        Map<String, Object> attributes = Files.readAttributes(file, "unix:mode,nlink", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
        return (mode & WRITTEN_BY_OTHERS) == 0 && Objects.equals(attributes.get("nlink"), 1);
    }

    /// Refuses to delete an entry of another user, and a folder that others can write.
    ///
    /// @param me as [#me]
    static void requireOwn(Path name, PosixFileAttributes attributes, UserPrincipal me) throws IOException {
        if (!attributes.owner().equals(me)) {
            throw new IOException(name + " belongs to another user. It is not deleted.");
        }
        if (attributes.isDirectory() && !Collections.disjoint(attributes.permissions(), OF_OTHERS)) {
            throw new IOException(name + " can be written by other users. It is not deleted.");
        }
    }

    static boolean isOwn(Path file) throws IOException {
        return !hasUsers(file) || uid(file) == uid(ofMe());
    }

    /// Whether only this user and the administrator can exchange what lies in a folder, or the folder itself.
    ///
    /// Judges each folder of the path as it is given, and where links lead. A link counts if it belongs to this user or the
    /// administrator.
    static boolean isGuarded(Path folder) throws IOException {
        return !hasUsers(folder) || isGuarded(folder.toAbsolutePath(), MOST_LINKS);
    }

    private static boolean isGuarded(Path folder, int links) throws IOException {
        Path above = Objects.requireNonNull(folder.getRoot());
        for (int i = 0; i < folder.getNameCount(); i++) {
            Path each = above.resolve(folder.getName(i));
            if (!isGuardedItself(above)) {
                return false;
            }
            if (Files.isSymbolicLink(each)) {
                Path target = above.resolve(Files.readSymbolicLink(each));
                Path rest = i + 1 == folder.getNameCount() ? target
                        : target.resolve(folder.subpath(i + 1, folder.getNameCount()));
                return links > 0 && isOfUserOrRoot(uid(each)) && isGuarded(rest, links - 1);
            }
            above = each;
        }
        return isGuardedItself(above);
    }

    private static boolean isGuardedItself(Path folder) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(folder, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
        int uid = (Integer) Objects.requireNonNull(attributes.get("uid"));
        return isOfUserOrRoot(uid) && ((mode & WRITTEN_BY_OTHERS) == 0 || (mode & STICKY) != 0);
    }

    private static boolean isOfUserOrRoot(int uid) throws IOException {
        return uid == ROOT || uid == uid(ofMe());
    }

    static boolean hasUsers(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    /// The user of this process.
    static UserPrincipal me() throws IOException {
        return Files.getOwner(ofMe());
    }

    private static Path ofMe() throws IOException {
        return Files.exists(PROCESS) ? PROCESS.toRealPath() : Path.of(System.getProperty("user.home"));
    }

    private static int uid(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }
}
