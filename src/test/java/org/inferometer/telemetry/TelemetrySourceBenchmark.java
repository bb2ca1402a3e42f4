package org.inferometer.telemetry;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.inferometer.record.TelemetrySample;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What a sample costs, of the host alone or with a GPU beside it: `-p library=libnvidia-ml.so.1`, or the path of the stand-in.
///
/// Run with `-prof gc` to see that it allocates the sample and nothing else.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TelemetrySourceBenchmark {
    /// The management library of the GPU to watch; none without.
    @Param("none")
    public String library;

    private final HostProcess process = HostProcess.open();
    private @Nullable GpuMonitor gpu;
    private TelemetrySource source;
    private long nanos;

    /// Opens the GPU, where one is asked for.
    @Setup
    public void open() throws GpuException {
        if (library.equals("none")) {
            source = TelemetrySource.ofHost(process, MemoryAccount.empty());
        } else {
            gpu = GpuMonitor.open(List.of(library), 0);
            source = TelemetrySource.ofHostWatching(process, MemoryAccount.empty(), gpu);
        }
    }

    /// One sample.
    @Benchmark
    public TelemetrySample sample() {
        return source.read(nanos++);
    }

    /// Closes what the samples were read from.
    @TearDown
    public void close() {
        if (gpu != null) {
            gpu.close();
        }
        process.close();
    }
}
