package org.inferometer.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Objects;

/// Tells what belongs to this user, and in which folders nobody else can exchange an entry. Follows no links.
///
/// Where the system has no numbers of users (Windows), everything counts as this user's.
final class OwnFiles {
    private static final int ROOT = 0;
    private static final int STICKY = 01000;
    private static final int WRITTEN_BY_GROUP = 020;
    private static final int WRITTEN_BY_ALL = 02;

    private OwnFiles() {}

    static boolean isOwn(Path file) throws IOException {
        return !hasUsers(file) || uid(file) == me();
    }

    /// Whether only this user and the administrator can exchange what lies in a folder and its parents.
    ///
    /// A user's own group of the same name has no other members.
    static boolean isGuarded(Path folder) throws IOException {
        if (!hasUsers(folder)) {
            return true;
        }
        for (Path each = folder.toRealPath(); each != null; each = each.getParent()) {
            if (!isGuardedItself(each)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isGuardedItself(Path folder) throws IOException {
        Map<String, Object> attributes =
                Files.readAttributes(folder, "unix:uid,mode,owner,group", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
        int uid = (Integer) Objects.requireNonNull(attributes.get("uid"));
        UserPrincipal owner = (UserPrincipal) Objects.requireNonNull(attributes.get("owner"));
        GroupPrincipal group = (GroupPrincipal) Objects.requireNonNull(attributes.get("group"));
        boolean ownGroup = owner.getName().equals(group.getName());
        boolean others = (mode & WRITTEN_BY_ALL) != 0 || ((mode & WRITTEN_BY_GROUP) != 0 && !ownGroup);
        return (uid == ROOT || uid == me()) && (!others || (mode & STICKY) != 0);
    }

    private static boolean hasUsers(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    private static int me() throws IOException {
        Path process = Path.of("/proc/self");
        return uid(Files.exists(process) ? process.toRealPath() : Path.of(System.getProperty("user.home")));
    }

    private static int uid(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }
}
