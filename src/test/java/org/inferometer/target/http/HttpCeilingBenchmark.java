package org.inferometer.target.http;

import java.util.concurrent.TimeUnit;
import org.inferometer.target.TargetException;
import org.inferometer.units.SystemClock;
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
import org.openjdk.jmh.annotations.Warmup;

/// Chunks a second over HTTP, and streams held for a minute, against a server in a process of its own; in a heap of 1 GB.
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 4)
@Fork(value = 1, jvmArgs = {"-Xmx1g", "--sun-misc-unsafe-memory-access=allow"})
public class HttpCeilingBenchmark {
    /// Figures beside the time.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Figures {
        /// Stamped and kept a second.
        public double chunksPerSecond;
        /// The most at once.
        public long streamsAtOnce;
        /// Of all that were asked.
        public long lostChunks;
        /// Of all that were sent.
        public long failedRequests;
        /// Heap in use at the end, garbage included.
        public long heapMegabytes;

        /// Counters count from zero.
        @Setup(Level.Iteration)
        public void clear() {
            chunksPerSecond = 0;
            streamsAtOnce = 0;
            lostChunks = 0;
            failedRequests = 0;
            heapMegabytes = 0;
        }
    }

    /// As fast as both can, a few streams and many.
    @State(Scope.Benchmark)
    public static class FlatOut {
        /// At once.
        @Param({"64", "512", "2000"})
        int streams;
    }

    /// One chunk every 100 ms a stream, for a minute.
    @State(Scope.Benchmark)
    public static class Held {
        /// At once.
        @Param({"2000", "10000"})
        int streams;
    }

    /// As fast as both can.
    @Benchmark
    public void flatOut(FlatOut load, Figures figures) throws TargetException {
        measure(0, new HttpCeiling.StreamLoad(load.streams, 4096, 128), figures);
    }

    /// Streams held for a minute.
    @Benchmark
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    public void heldForAMinute(Held load, Figures figures) throws TargetException {
        measure(TimeUnit.MILLISECONDS.toNanos(100), new HttpCeiling.StreamLoad(load.streams, load.streams, 600),
                figures);
    }

    private static void measure(long turnNanos, HttpCeiling.StreamLoad load, Figures figures) throws TargetException {
        HttpCeiling.Throughput reached =
                new HttpCeiling(new SystemClock()).measure(EchoProcess.servers(turnNanos), load, 300);
        figures.chunksPerSecond = reached.chunksPerSecond();
        figures.streamsAtOnce = reached.streamsAtOnce();
        figures.lostChunks = reached.lostChunks();
        figures.failedRequests = reached.failedRequests();
        Runtime runtime = Runtime.getRuntime();
        figures.heapMegabytes = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }
}
