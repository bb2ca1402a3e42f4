package org.inferometer.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Remembers how long the requests of workloads get, so that a file of some hundred megabytes is read once and not for every cell.
///
/// A file that has changed is read again. Safe to share between threads.
public final class WorkloadExtents {
    private static final int MOST_REMEMBERED = 64;

    private final Map<Key, WorkloadExtent> remembered = new LinkedHashMap<>();

    private record Key(WorkloadSpec spec, long fileBytes, @Nullable FileTime fileChanged) {}

    /// @throws IOException in one sentence, where a file cannot be used
    public synchronized WorkloadExtent of(WorkloadSpec spec) throws IOException {
        Key key = key(spec);
        WorkloadExtent known = remembered.get(key);
        if (known != null) {
            return known;
        }
        WorkloadExtent extent = WorkloadExtent.of(spec);
        if (remembered.size() >= MOST_REMEMBERED) {
            remembered.clear();
        }
        remembered.put(key, extent);
        return extent;
    }

    private static Key key(WorkloadSpec spec) throws IOException {
        TraceReplay replay = spec.refinements().trace();
        String file = replay == null ? spec.promptFile() : replay.file();
        Path path = file == null ? null : TraceSelection.path(file);
        // A file that is missing is said by who reads it.
        boolean there = path != null && Files.isRegularFile(path);
        return new Key(spec.withName(""), there ? Files.size(path) : 0, there ? Files.getLastModifiedTime(path) : null);
    }
}
