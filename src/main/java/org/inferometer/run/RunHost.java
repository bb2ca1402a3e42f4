package org.inferometer.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.inferometer.record.RunPlan;

/// A machine that runs each plan in its own worker process.
public interface RunHost {
    /// The folder that the folders of plans are relative to.
    Path workspace();

    /// The largest heap of a worker, which holds the requests of a run.
    long workerHeapBytes();

    /// Reserves the host for one experiment; closing frees it. The system frees it when this process dies.
    ///
    /// @throws RunFailure if another experiment runs on it
    Closeable reserve() throws RunFailure, IOException;

    /// Checks that the host is still reserved. Reserves it again if the lock file was deleted. Called before and after each run.
    ///
    /// @throws RunFailure if another experiment could have reserved the host
    default void keepReserved() throws RunFailure, IOException {}

    /// Notes whether another experiment could reserve the host now; [#keepReserved] fails then. Called by a thread of its own while
    /// the host is reserved.
    default void watchReservation() {}

    /// The time between two calls of [#watchReservation].
    default Duration lookEvery() {
        return Duration.ofSeconds(1);
    }

    /// Starts a worker with a plan; the caller closes the session.
    ///
    /// @throws IOException if no worker can be started
    Session start(RunPlan plan) throws IOException;

    /// One worker with its plan.
    interface Session extends AutoCloseable {
        /// Passes every frame on until the worker has ended, one at a time, and each line of its error output as a
        /// [WorkerFrame.Log] without secrets.
        WorkerExit listen(Consumer<WorkerFrame> frames) throws IOException, InterruptedException;

        /// Asks the worker to stop and kills it after two seconds. Blocks until then; an interrupt ends the wait and is
        /// restored.
        void cancel();

        /// Ends a running worker as [#cancel] does and waits for its end.
        @Override
        void close();
    }
}
