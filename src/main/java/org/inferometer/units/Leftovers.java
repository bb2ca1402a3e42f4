package org.inferometer.units;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Files and folders that killed processes left behind, recognized by their names. Those of a living process are none.
public final class Leftovers {
    /// Begins the name of a [HeldFile] that marks its folder as being written.
    public static final String RUNNING = ".running-";
    /// Begins the name of a [HeldFile] that is moved to its place when it is complete.
    public static final String WRITING = ".writing-";
    /// Begins the name of a folder that is moved to its place when it is complete; it holds a [#RUNNING] marker.
    public static final String UNFINISHED = ".unfinished-";
    /// Begins the name of the folder of an engine build; it holds a locked [#LOCK].
    public static final String BUILDING = ".building-";
    /// The locked file in the folder of an engine build.
    public static final String LOCK = "lock";

    private static final int DEPTH = 3;
    /// Process number and start, as [HeldFile] writes them; a user's own file may begin alike.
    private static final Pattern OWN_FILE = Pattern.compile("\\.(running|writing)-\\d+-\\d.*");
    private static final Pattern UNFINISHED_FOLDER =
            Pattern.compile("\\.unfinished-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    /// Folders that this program creates and fills: results, runs, charts. Left behind if they hold nothing else.
    private static final Pattern OWN_FOLDER = Pattern.compile("\\d{4}-\\d{2}-\\d{2}_\\d{6}.*|run-\\d{3}.*|.*-charts");

    private Leftovers() {}

    /// What a search found.
    ///
    /// @param paths leftovers in the order of their paths
    /// @param written whether a living process writes there now
    public record Found(List<Path> paths, boolean written) {}

    /// The leftovers in a folder and three levels below it, in the order of their paths; none if the folder is missing.
    ///
    /// Follows no links. A folder that holds nothing but leftovers is listed in their place.
    public static List<Path> in(Path folder) throws IOException {
        return search(folder, DEPTH).paths;
    }

    /// The leftovers in a folder and so many levels below it; none if the folder is missing. Otherwise as [#in].
    public static Found search(Path folder, int depth) throws IOException {
        Search search = new Search(new ArrayList<>());
        if (Files.isDirectory(folder)) {
            // Throws if the folder itself cannot be listed; folders inside it are skipped.
            children(folder);
            search.collect(folder, depth);
        }
        search.found.sort(null);
        return new Found(List.copyOf(search.found), search.written);
    }

    /// Deletes a leftover that [#in] found.
    ///
    /// @throws IOException if a process writes it now, or a file cannot be removed
    public static void delete(Path leftover) throws IOException {
        if (isFile(leftover)) {
            HeldFile.deleteFree(leftover);
            return;
        }
        for (Path child : children(leftover)) {
            if (isFile(child) && isMarker(name(child))) {
                HeldFile.deleteFree(child);
            }
        }
        FolderTree.delete(leftover);
    }

    /// Whether a living process marks the folder as being written.
    public static boolean isHeld(Path folder) throws IOException {
        return children(folder).stream().anyMatch(Leftovers::isHeldMarker);
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
        private final List<Path> found;
        private boolean written;

        Search(List<Path> found) {
            this.found = found;
        }

        /// Returns whether the folder holds nothing but leftovers.
        private boolean collect(Path folder, int depth) {
            List<Path> children;
            try {
                children = children(folder);
            } catch (IOException e) {
                // Of another user, or removed meanwhile.
                return false;
            }
            if (children.stream().anyMatch(Leftovers::isHeldMarker)) {
                written = true;
                return false;
            }
            boolean onlyLeftovers = true;
            for (Path child : children) {
                onlyLeftovers &= isLeftover(child, depth);
            }
            return onlyLeftovers;
        }

        private boolean isLeftover(Path child, int depth) {
            String name = name(child);
            boolean leftover = false;
            if (OWN_FILE.matcher(name).matches()) {
                leftover = isFile(child) && isEnded(!HeldFile.isHeld(child));
            } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                if (UNFINISHED_FOLDER.matcher(name).matches()
                        || (name.startsWith(BUILDING) && isFile(child.resolve(LOCK)))) {
                    leftover = isEnded(isFree(child));
                } else if (depth > 0) {
                    int before = found.size();
                    leftover = collect(child, depth - 1) && OWN_FOLDER.matcher(name).matches();
                    if (leftover) {
                        found.subList(before, found.size()).clear();
                    }
                }
            }
            if (leftover) {
                found.add(child);
            }
            return leftover;
        }

        private boolean isEnded(boolean free) {
            written |= !free;
            return free;
        }
    }

    private static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static List<Path> children(Path folder) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            inside.forEach(children::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return children;
    }
}
