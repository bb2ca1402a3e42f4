package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.inferometer.results.SampleRecords;
import org.inferometer.run.ScriptedWorker.Manner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerProcessTest {
    private static final WorkerProtocol.Order ORDER =
            WorkerProtocol.Order.of(Path.of("w"), SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("nowhere")));

    @Test
    void interruptDuringGraceKillsWorker() throws Exception {
        AtomicLong pid = new AtomicLong();
        AtomicBoolean kept = new AtomicBoolean();
        try (WorkerProcess worker = new WorkerProcess(ScriptedWorker.command(Manner.DEAF), Map.of(),
                UnaryOperator.identity(), ORDER, Optional::empty)) {
            WorkerExit exit = worker.listen(frame -> {
                pid.set(ScriptedWorker.pid(frame));
                Thread.currentThread().interrupt();
                worker.cancel();
                kept.set(Thread.interrupted());
            });
            assertThat(exit.cause()).isEqualTo("The worker was killed (SIGKILL; the machine may be out of memory).");
        }
        assertThat(kept).isTrue();
        assertThat(ScriptedWorker.lives(pid.get())).isFalse();
    }

    @Test
    void aWorkerThatObeysEndsByItself() throws Exception {
        CompletableFuture<Long> pid = new CompletableFuture<>();
        try (WorkerProcess worker = new WorkerProcess(ScriptedWorker.command(Manner.OBEDIENT), Map.of(),
                UnaryOperator.identity(), ORDER, Optional::empty)) {
            CompletableFuture<Integer> exit = listening(worker, pid);
            pid.get();
            worker.cancel();
            assertThat(exit.get()).isZero();
        }
    }

    @Test
    void closeKillsADeafWorker() throws Exception {
        CompletableFuture<Long> pid = new CompletableFuture<>();
        try (WorkerProcess worker = new WorkerProcess(ScriptedWorker.command(Manner.DEAF), Map.of(),
                UnaryOperator.identity(), ORDER, Optional::empty)) {
            listening(worker, pid);
            pid.get();
        }
        assertThat(ScriptedWorker.lives(pid.get())).isFalse();
    }

    @Test
    void errorOutputIsLoggedWithoutSecrets() throws Exception {
        List<String> logged = new ArrayList<>();
        try (WorkerProcess worker = new WorkerProcess(ScriptedWorker.command(Manner.CRASHING), Map.of(),
                line -> line.replace("coarse", "***"), ORDER, Optional::empty)) {
            worker.listen(frame -> logged.add(((WorkerFrame.Log) frame).message()));
        }
        assertThat(logged).contains("WARNING: The clock is ***.", "Error: Could not find the main class.")
                .noneMatch(line -> line.contains("coarse") || line.contains("incubator"));
    }

    @Test
    void exceptionOfAListenerIsPassedOn() throws Exception {
        try (WorkerProcess worker = new WorkerProcess(ScriptedWorker.command(Manner.HASTY), Map.of(),
                UnaryOperator.identity(), ORDER, Optional::empty)) {
            assertThatThrownBy(() -> worker.listen(frame -> {
                throw new IllegalArgumentException("said to " + frame.getClass().getSimpleName());
            })).isInstanceOf(IllegalArgumentException.class).hasMessage("said to Log").hasNoCause();
        }
    }

    /// Listens on a thread of its own.
    ///
    /// @param pid gets the worker's process number
    private static CompletableFuture<Integer> listening(WorkerProcess worker, CompletableFuture<Long> pid) {
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                exit.complete(worker.listen(frame -> pid.complete(ScriptedWorker.pid(frame))).code());
            } catch (Exception e) {
                exit.completeExceptionally(e);
            }
        });
        return exit;
    }
}
