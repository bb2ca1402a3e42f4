package org.inferometer.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The files that a worker locks, so that no other experiment starts while it measures, even after its experiment was killed.
///
/// @param experiment process number of the experiment, the worker's parent
/// @param files empty if nothing is locked
public record WorkerReservation(@JsonProperty("experiment") long experiment,
        @JsonProperty("files") List<String> files) {
    static final WorkerReservation NONE = new WorkerReservation(0, List.of());

    public WorkerReservation {
        files = List.copyOf(files);
    }

    /// The reservation for workers of this process.
    static WorkerReservation ofThisProcess(List<Path> files) {
        return new WorkerReservation(ProcessHandle.current().pid(), files.stream().map(Path::toString).toList());
    }

    /// Locks all files; closing frees them.
    ///
    /// An experiment that starts later finds them locked. One that started earlier did so because this worker's experiment was dead,
    /// which the check after locking finds.
    ///
    /// @throws RunFailure when another worker holds one, or the experiment has ended
    public Closeable hold() throws RunFailure, IOException, InterruptedException {
        List<MachineLock> taken = new ArrayList<>();
        Closeable all = () -> MachineLock.closeAll(taken);
        try {
            for (String file : files) {
                taken.add(MachineLock.takeForWorker(Path.of(file)));
            }
            if (!files.isEmpty() && !experimentLives()) {
                throw new RunFailure("The experiment (process " + experiment
                        + ") ended before its worker began. Nothing was measured.");
            }
            return all;
        } catch (IOException | RunFailure | InterruptedException e) {
            all.close();
            throw e;
        }
    }

    private boolean experimentLives() {
        return ProcessHandle.current().parent().filter(parent -> parent.pid() == experiment && parent.isAlive())
                .isPresent();
    }
}
