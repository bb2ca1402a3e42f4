package org.inferometer.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cache of the longest requests of workloads, so that a large file is read once and not for every cell.
///
/// A changed file is read again. Thread-safe.
public final class WorkloadExtents {
    private static final int MOST_REMEMBERED = 64;

    private final Map<FileKey, WorkloadExtent> remembered = new LinkedHashMap<>();

    private record FileKey(WorkloadSpec spec, long fileBytes, @Nullable FileTime fileChanged) {}

    /// @throws IOException if a file cannot be used
    public synchronized WorkloadExtent of(WorkloadSpec spec) throws IOException {
        FileKey key = key(spec);
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

    private static FileKey key(WorkloadSpec spec) throws IOException {
        TraceReplay replay = spec.refinements().trace();
        String file = replay == null ? spec.promptFile() : replay.file();
        Path path = file == null ? null : TraceSelection.path(file);
        // The reader reports a missing file.
        boolean there = path != null && Files.isRegularFile(path);
        return new FileKey(spec.withName(""), there ? Files.size(path) : 0,
                there ? Files.getLastModifiedTime(path) : null);
    }
}
