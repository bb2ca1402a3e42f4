package org.inferometer.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/// Files and folders that killed processes of this user left behind, recognized by the exact names and content that our writers give
/// them. Those of a living process are none.
public final class Leftovers {
    /// Begins the name of a [HeldFile] that marks its folder as being written.
    public static final String RUNNING = ".running-";
    /// Begins the name of a [HeldFile] that is moved to its place when it is complete.
    public static final String WRITING = ".writing-";
    /// Begins the name of a folder that is moved to its place when it is complete; it holds a [#RUNNING] marker.
    public static final String UNFINISHED = ".unfinished-";
    /// Begins the name of the folder of an engine build; it holds a [#MARK] and a locked [#LOCK].
    public static final String BUILDING = ".building-";
    /// The locked file in the folder of an engine build.
    public static final String LOCK = "lock";

    /// The file that makes a folder that of an engine build, with [#MARK_TEXT].
    public static final String MARK = "made-by-inferometer";
    /// The whole content of a [#MARK].
    public static final String MARK_TEXT = "A build of an engine made this folder. Its files can be deleted.\n";
    /// What an [#UNFINISHED] folder holds beside its marker.
    public static final String CONTENT = "content";

    private static final int DEPTH = 3;
    private static final String UUID_FORM = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    /// Process number and start in milliseconds, as [HeldFile] writes them.
    private static final String PROCESS_FORM = "\\d{1,10}-(0|\\d{13})";
    private static final Pattern RUNNING_FILE = Pattern.compile("\\.running-" + PROCESS_FORM);
    /// With a thread's number or a random one, and the endings of the writers.
    private static final Pattern WRITING_FILE = Pattern
            .compile("\\.writing-" + PROCESS_FORM + "-(\\d{1,19}\\.tmp|" + UUID_FORM + "(\\.tmp|\\.inferometer)?)");
    private static final Pattern UNFINISHED_FOLDER = Pattern.compile("\\.unfinished-" + UUID_FORM);
    /// All that a build writes beside its mark and lock.
    private static final Set<String> BUILT = Set.of("journal", "weights.safetensors", "engine.json", "tokenizer.json",
            "chat.json", "calibration.json", "sources.json");
    /// Folders of results and of their runs. Left behind if they hold leftovers and nothing else.
    private static final Pattern OWN_FOLDER =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}_\\d{6}_[A-Za-z0-9._-]+|run-\\d{3,}_[A-Za-z0-9._-]+_\\d+");

    private Leftovers() {}

    /// What a search found.
    ///
    /// @param paths leftovers in the order of their paths
    /// @param written whether a living process writes there now
    public record Found(List<Path> paths, boolean written) {}

    /// The leftovers in a folder and three levels below it, in the order of their paths; none if the folder is missing.
    ///
    /// Follows no links. A folder that holds nothing but leftovers is listed in their place. What another user owns, or could
    /// exchange, is none.
    public static List<Path> in(Path folder) throws IOException {
        return search(folder, DEPTH).paths;
    }

    /// The leftovers in a folder and so many levels below it; none if the folder is missing. Otherwise as [#in].
    public static Found search(Path folder, int depth) throws IOException {
        Search search = new Search();
        if (Files.isDirectory(folder)) {
            // Throws if the folder itself cannot be listed; folders inside it are skipped. It may be a link that the user chose.
            search.collect(FolderTree.entries(folder.toRealPath()), folder, depth);
        }
        search.found.sort(null);
        return new Found(List.copyOf(search.found), search.written);
    }

    /// Deletes a leftover that [#in] found.
    ///
    /// @throws IOException if a process writes it now, another user could exchange it, or a file cannot be removed
    public static void delete(Path leftover) throws IOException {
        OwnFiles.requireSafe(leftover);
        if (isFile(leftover)) {
            HeldFile.deleteFree(leftover);
            return;
        }
        if (name(leftover).startsWith(BUILDING)) {
            deleteBuilding(leftover);
            return;
        }
        List<Path> children = FolderTree.entries(leftover);
        if (children.isEmpty()) {
            // Fails if a process has marked it meanwhile.
            Files.delete(leftover);
            return;
        }
        for (Path child : children) {
            if (isFile(child) && isMarker(name(child))) {
                HeldFile.deleteFree(child);
            }
        }
        FolderTree.deleteOwn(leftover);
    }

    private static void deleteBuilding(Path folder) throws IOException {
        HeldFile lock = HeldFile.holdExisting(folder.resolve(LOCK)).orElseThrow(
                () -> new IOException(folder + " is being written by a running process. It is not deleted."));
        try {
            if (!isBuilding(folder)) {
                throw new IOException(folder + " is no longer the folder of a build. It is not deleted.");
            }
            deleteBuilding(folder, lock);
        } finally {
            lock.release();
        }
    }

    /// Deletes the folder of an engine build. It is moved into an [#UNFINISHED] folder before it loses its [#MARK], so that a kill
    /// at any instant leaves a leftover.
    ///
    /// @param lock held; is released
    public static void deleteBuilding(Path folder, HeldFile lock) throws IOException {
        for (Path entry : FolderTree.entries(folder)) {
            if (!name(entry).equals(MARK) && !name(entry).equals(LOCK)) {
                // Frees space for the folder to move to.
                Files.delete(entry);
            }
        }
        Path hidden = folder.resolveSibling(UNFINISHED + UUID.randomUUID());
        Path content = hidden.resolve(CONTENT);
        HeldFile marker = HeldFile.hold(hidden, RUNNING, "");
        try (marker) {
            if (!OwnFiles.hasUsers(folder)) {
                // Windows moves no folder with an open file.
                lock.release();
            }
            Files.move(folder, content);
            lock.release();
            FolderTree.delete(content);
        } finally {
            if (!Files.exists(content)) {
                Files.deleteIfExists(hidden);
            }
        }
    }

    /// Whether a living process marks the folder as being written.
    public static boolean isHeld(Path folder) throws IOException {
        return FolderTree.entries(folder).stream().anyMatch(Leftovers::isHeldMarker);
    }

    private static boolean isFree(Path folder) {
        try {
            return !isHeld(folder);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isHeldMarker(Path file) {
        return isMarker(name(file)) && isFile(file) && HeldFile.isHeld(file);
    }

    private static boolean isMarker(String name) {
        return name.startsWith(RUNNING) || name.equals(LOCK);
    }

    /// One search. For one thread.
    private static final class Search {
        private final List<Path> found = new ArrayList<>();
        private boolean written;

        /// Returns whether the folder holds nothing but leftovers.
        private boolean collect(Path folder, int depth) {
            try {
                return collect(FolderTree.entries(folder), folder, depth);
            } catch (IOException e) {
                // Of another user, or removed meanwhile.
                return false;
            }
        }

        private boolean collect(List<Path> entries, Path folder, int depth) throws IOException {
            List<Path> children = entries.stream().map(entry -> folder.resolve(entry.getFileName())).toList();
            if (children.stream().anyMatch(Leftovers::isHeldMarker)) {
                written = true;
                return false;
            }
            if (!OwnFiles.isGuarded(folder)) {
                return false;
            }
            boolean onlyLeftovers = !children.isEmpty();
            for (Path child : children) {
                onlyLeftovers &= isOwnLeftover(child, depth);
            }
            return onlyLeftovers;
        }

        private boolean isOwnLeftover(Path child, int depth) {
            try {
                return OwnFiles.isOwn(child) && isLeftover(child, depth);
            } catch (IOException e) {
                // Removed meanwhile.
                return false;
            }
        }

        private boolean isLeftover(Path child, int depth) throws IOException {
            boolean leftover = false;
            int before = found.size();
            if (isFile(child)) {
                leftover = isOwnFile(child) && isEnded(!HeldFile.isHeld(child));
            } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                leftover =
                        (isUnfinished(child) || isBuilding(child)) ? OwnFiles.isGuarded(child) && isEnded(isFree(child))
                                : depth > 0 && collect(child, depth - 1) && OWN_FOLDER.matcher(name(child)).matches();
            }
            if (leftover) {
                // In place of what it holds
                found.subList(before, found.size()).clear();
                found.add(child);
            }
            return leftover;
        }

        private boolean isEnded(boolean free) {
            written |= !free;
            return free;
        }
    }

    private static boolean isOwnFile(Path file) throws IOException {
        return WRITING_FILE.matcher(name(file)).matches() || isRunning(file);
    }

    private static boolean isRunning(Path file) throws IOException {
        return RUNNING_FILE.matcher(name(file)).matches() && isFile(file) && Files.size(file) == 0
                && OwnFiles.isOwn(file);
    }

    private static boolean isUnfinished(Path folder) throws IOException {
        if (!UNFINISHED_FOLDER.matcher(name(folder)).matches()) {
            return false;
        }
        for (Path entry : FolderTree.entries(folder)) {
            boolean isContent = name(entry).equals(CONTENT) && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
            if (!isContent && !isRunning(entry)) {
                return false;
            }
        }
        return true;
    }

    /// Whether a folder is that of an engine build, with all its files. Opens no lock.
    public static boolean isBuilding(Path folder) throws IOException {
        if (!name(folder).startsWith(BUILDING) || !isMark(folder.resolve(MARK))) {
            return false;
        }
        for (Path entry : FolderTree.entries(folder)) {
            boolean isLock = name(entry).equals(LOCK) && Files.size(entry) == 0;
            boolean known = isLock || name(entry).equals(MARK) || BUILT.contains(name(entry));
            if (!known || !isFile(entry) || !OwnFiles.isOwn(entry)) {
                return false;
            }
        }
        return isFile(folder.resolve(LOCK));
    }

    private static boolean isMark(Path file) throws IOException {
        return isFile(file) && Files.size(file) == MARK_TEXT.length() && Files.readString(file).equals(MARK_TEXT);
    }

    private static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
