package org.inferometer.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.inferometer.record.RunPlan;

/// A machine that runs plans, each in a worker process of its own. Today this machine; a host over ssh or a batch system fits too.
public interface RunHost {
    /// The folder that the folders of plans are relative to.
    Path workspace();

    /// Reserves the host for one experiment; closing frees it. The system frees it when this process dies.
    ///
    /// @throws RunFailure when another experiment runs on it, in one sentence
    Closeable reserve() throws RunFailure, IOException;

    /// Starts a worker with a plan; the caller closes the session.
    ///
    /// @throws IOException when no worker can be started
    Session start(RunPlan plan) throws IOException;

    /// One worker with its plan.
    interface Session extends AutoCloseable {
        /// Passes every frame on until the worker has ended.
        WorkerExit listen(Consumer<WorkerFrame> frames) throws IOException, InterruptedException;

        /// Asks the worker to stop and kills it after a grace of two seconds. Blocks for as long; an interrupt ends the grace and is
        /// kept for the caller.
        void cancel();

        /// Ends a worker that still runs, as [#cancel] does, and returns once it is gone.
        @Override
        void close();
    }

    /// How a worker ended.
    ///
    /// @param code exit code; above 128 it is 128 plus the signal that killed the worker
    /// @param lastLines the end of the worker's standard error; may be empty
    record WorkerExit(int code, String lastLines) {
        private static final int FIRST_SIGNAL = 128;
        private static final int SIGKILL = 9;

        /// One sentence: "The worker was killed (signal 9; the machine may be out of memory)."
        String text() {
            int signal = code - FIRST_SIGNAL;
            if (signal <= 0) {
                return "The worker ended with exit code " + code + ".";
            }
            return "The worker was killed (signal " + signal
                    + (signal == SIGKILL ? "; the machine may be out of memory" : "") + ").";
        }
    }
}
