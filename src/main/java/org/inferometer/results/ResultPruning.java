package org.inferometer.results;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.record.RunStatus;

/// Chooses old experiments and deletes them. Keeps running and unreadable experiments.
///
/// @param keepNewest number of newest experiments to keep at any age
/// @param olderThan only experiments that started, or were imported, longer ago than this go; zero for any age
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
        ended.sort(Comparator.comparing(ResultPruning::added).reversed());
        return ended.stream().skip(keepNewest).filter(entry -> added(entry).isBefore(now.minus(olderThan))).toList()
                .reversed();
    }

    /// Deletes an experiment's folder. Links inside are removed and never followed.
    ///
    /// @throws IOException when something still writes into it, or a file cannot be removed
    public static void delete(ResultLibrary.Entry entry) throws IOException {
        if (RunningMarker.held(entry.folder())) {
            throw new IOException(entry.folder() + " is being written; it is not deleted.");
        }
        FolderTree.delete(entry.folder());
    }

    private static Instant added(ResultLibrary.Entry entry) {
        return entry.manifest().map(manifest -> manifest.times().added()).orElse(Instant.MAX);
    }
}
