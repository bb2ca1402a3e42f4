package org.inferometer.execution.host.steps;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The attention of one layer's decode step from memory, against a plain read of the same keys and values. The secondary result
/// `gigabytes` is a rate a second; compare within one run, as ratios to `plainRead`.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class AttentionBenchmark {
    /// Heads of the models that are measured; each of 64 elements.
    public enum Heads {
        /// Eight query heads share a key/value head.
        TINYLLAMA(32, 4),
        /// Three do.
        SMOLLM(9, 3);

        private final int queries;
        private final int keyValues;

        Heads(int queries, int keyValues) {
            this.queries = queries;
            this.keyValues = keyValues;
        }
    }

    @Param({"TINYLLAMA", "SMOLLM"})
    Heads heads;

    @Param({"FP32", "BF16"})
    HostOptions.KvDtype dtype;

    @Param({"32", "512", "4096"})
    int context;

    @Param({"1", "16"})
    int sequences;

    @Param({"1", "2"})
    int threads;

    private Arena arena;
    private WorkerGroup group;
    private AttentionLoad load;
    private int next;

    /// What one operation moved.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Rates {
        /// Keys and values, in 1e9 bytes.
        public double gigabytes;

        /// The counter starts at zero in every iteration.
        @Setup(Level.Iteration)
        public void clear() {
            gigabytes = 0;
        }
    }

    /// Fills the caches.
    @Setup
    public void open() {
        arena = Arena.ofShared();
        group = new WorkerGroup("benchmark", threads);
        ModelShape shape = RandomModel.shape(ModelFamily.LLAMA, 1, 8, 8, heads.queries, heads.keyValues, 64, 8, null);
        load = new AttentionLoad(shape, HostRun.options(threads, 1, 16, dtype), context, sequences, threads, arena);
    }

    /// Ends the threads.
    @TearDown
    public void close() {
        group.close();
        arena.close();
    }

    /// The next step's attention.
    @Benchmark
    public void attend(Rates rates) {
        load.attend(group, step(rates));
    }

    /// The same bytes summed as integers.
    @Benchmark
    public void plainRead(Rates rates) {
        load.read(group, step(rates));
    }

    private int step(Rates rates) {
        rates.gigabytes += load.stepBytes() / 1e9;
        next = (next + 1) % load.steps();
        return next;
    }
}
