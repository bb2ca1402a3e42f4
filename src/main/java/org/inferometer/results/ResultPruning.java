package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.record.RunStatus;
import org.inferometer.units.FolderTree;
import org.inferometer.units.OwnFiles;

/// Chooses old experiments and deletes them. Keeps running and unreadable experiments.
///
/// @param keepNewest number of newest experiments to keep at any age
/// @param olderThan minimum age since start or import; zero for any age
public record ResultPruning(int keepNewest, Duration olderThan) {
    public ResultPruning {
        if (keepNewest < 0 || olderThan.isNegative()) {
            throw new IllegalArgumentException("The count and the age to prune by cannot be negative.");
        }
    }

    /// The experiments to delete, oldest first. Deletes nothing.
    public List<ResultLibrary.Entry> chosen(List<ResultLibrary.Entry> entries, Instant now) {
        List<ResultLibrary.Entry> ended = new ArrayList<>(entries.stream()
                .filter(entry -> entry.manifest().map(manifest -> manifest.status() != RunStatus.RUNNING).orElse(false))
                .toList());
        ended.sort(Comparator.comparing(ResultLibrary.Entry::added).reversed());
        return ended.stream().skip(keepNewest).filter(entry -> entry.added().isBefore(now.minus(olderThan))).toList()
                .reversed();
    }

    /// Deletes the folder of an experiment. Removes links without following them.
    ///
    /// @throws IOException if it is being written, another user could exchange it or owns a file in it, or a file cannot be removed
    public static void delete(Path experiment) throws IOException {
        if (RunningMarker.held(experiment)) {
            throw new IOException(experiment + " is being written; it is not deleted.");
        }
        OwnFiles.requireSafe(experiment);
        FolderTree.deleteOwn(experiment);
    }
}
