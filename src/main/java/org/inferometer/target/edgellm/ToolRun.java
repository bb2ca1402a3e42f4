package org.inferometer.target.edgellm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.units.FolderTree;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// A batch and its processes. Used on the target's thread only.
final class ToolRun {
    private final List<Request> batch;
    private final Path folder;
    private final long startedNanos;
    private final Set<RequestId> waiting = new LinkedHashSet<>();
    private final Deque<List<String>> commands = new ArrayDeque<>();
    private @Nullable ToolProcess process;
    private long deadlineNanos = Long.MAX_VALUE;

    ToolRun(List<Request> batch, Path folder, long startedNanos) {
        this.batch = List.copyOf(batch);
        this.folder = folder;
        this.startedNanos = startedNanos;
        batch.forEach(request -> waiting.add(request.id()));
    }

    List<Request> batch() {
        return batch;
    }

    /// The folder of the tool's files.
    Path folder() {
        return folder;
    }

    /// When its first process was started.
    long startedNanos() {
        return startedNanos;
    }

    /// Requests that are not cancelled.
    Set<RequestId> waiting() {
        return waiting;
    }

    /// The running process, or the last one.
    @Nullable
    ToolProcess process() {
        return process;
    }

    /// When that process times out.
    long deadlineNanos() {
        return deadlineNanos;
    }

    /// Sets the commands to run, one after another.
    void plan(List<List<String>> all) {
        commands.addAll(all);
    }

    boolean hasNextCommand() {
        return !commands.isEmpty();
    }

    List<String> nextCommand() {
        return commands.remove();
    }

    void started(ToolProcess next, long untilNanos) {
        process = next;
        deadlineNanos = untilNanos;
    }

    /// Cancels a request; false if it does not belong to this run.
    boolean cancel(RequestId id) {
        return waiting.remove(id);
    }

    /// Kills the process and removes the files.
    ///
    /// @return whether nothing is left
    boolean clear() {
        ToolProcess last = process;
        boolean gone = last == null || last.kill();
        try {
            FolderTree.delete(folder);
        } catch (IOException e) {
            return false;
        }
        return gone;
    }
}
