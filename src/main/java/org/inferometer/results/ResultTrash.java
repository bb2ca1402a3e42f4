package org.inferometer.results;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.units.FolderTree;
import org.inferometer.units.OwnFiles;

/// Deleted experiments, kept for 30 days in the folder `.trash` beside the others.
///
/// @param results folder of the workspace's results
public record ResultTrash(Path results) {
    private static final Duration KEPT = Duration.ofDays(30);
    private static final Pattern NAME = Pattern.compile("(\\d{1,12})~(.+)");

    /// A deleted experiment.
    ///
    /// @param id its id
    public record Deleted(Path folder, String id, Instant when) {}

    /// Moves an experiment of these results into the trash, and removes what has been there for 30 days.
    ///
    /// @throws IOException if it is no folder of these results, is being written, or cannot be moved
    public Deleted delete(Path experiment, Instant now) throws IOException {
        Path folder = experiment.toAbsolutePath().normalize();
        if (!results.toAbsolutePath().normalize().equals(folder.getParent())
                || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(experiment + " is not a result of this workspace; it is not deleted.");
        }
        if (RunningMarker.held(folder)) {
            throw new IOException(experiment + " is being written; it is not deleted. Stop the experiment first.");
        }
        Path trash = Files.createDirectories(results.resolve(".trash"));
        String id = String.valueOf(folder.getFileName());
        Path target = trash.resolve(now.getEpochSecond() + "~" + id);
        move(folder, target);
        empty(now);
        return new Deleted(target, id, now);
    }

    private void empty(Instant now) throws IOException {
        for (Deleted old : list()) {
            if (old.when.isBefore(now.minus(KEPT))) {
                remove(old.folder);
            }
        }
    }

    /// What another user owns or could exchange stays in the trash.
    private static void remove(Path folder) {
        try {
            OwnFiles.requireSafe(folder);
            FolderTree.deleteOwn(folder);
        } catch (IOException e) {
            System.getLogger(ResultTrash.class.getName()).log(Level.DEBUG, "A deleted result stays in the trash", e);
        }
    }

    /// The deleted experiments, the last first.
    public List<Deleted> list() throws IOException {
        Path trash = results.resolve(".trash");
        if (!Files.isDirectory(trash, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(trash)) {
            return folders.flatMap(folder -> deleted(folder).stream())
                    .sorted(Comparator.comparing(Deleted::when).reversed().thenComparing(Deleted::id)).toList();
        }
    }

    private static Optional<Deleted> deleted(Path folder) {
        Matcher name = NAME.matcher(String.valueOf(folder.getFileName()));
        return name.matches()
                ? Optional.of(new Deleted(folder, name.group(2), Instant.ofEpochSecond(Long.parseLong(name.group(1)))))
                : Optional.empty();
    }

    /// Moves a deleted experiment back.
    ///
    /// @return its folder
    /// @throws IOException if a result has its id by now, or it cannot be moved
    public Path restore(Deleted deleted) throws IOException {
        Path target = results.resolve(deleted.id);
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(target + " exists already; the deleted result stays in the trash.");
        }
        move(deleted.folder, target);
        return target;
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to);
        }
    }
}
