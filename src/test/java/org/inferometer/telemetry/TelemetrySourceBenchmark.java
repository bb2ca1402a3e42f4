package org.inferometer.telemetry;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What a sample of the host costs. Run with `-prof gc` to see that it allocates the sample and nothing else.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TelemetrySourceBenchmark {
    private final HostProcess process = HostProcess.open();
    private final TelemetrySource source = TelemetrySource.ofHost(process, MemoryBooks.empty());
    private long nanos;

    /// One sample.
    @Benchmark
    public TelemetrySample sample() {
        return source.read(nanos++);
    }

    /// Closes what the samples were read from.
    @TearDown
    public void close() {
        process.close();
    }
}
