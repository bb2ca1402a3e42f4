package org.inferometer.execution.host.steps;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;
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
import org.openjdk.jmh.annotations.Warmup;

/// From opening an engine to an executor that takes steps, in a warm process, the packed weights in their file. Run in the folder that
/// holds `engines`; the engine is built and packed first if necessary.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g"})
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class OpenBenchmark {
    private static final int POSITIONS = 48;
    private static final int SEQUENCES = 16;

    @Param("smollm-135m-int4")
    String engine;

    private Path folder;

    /// Builds the engine.
    @Setup
    public void build() throws EngineFormatException {
        EngineEntry entry = new EngineCatalog(Path.of("engines")).find(engine);
        if (entry.state() == EngineEntry.State.RECIPE_ONLY) {
            new EngineBuilder().build(entry, fraction -> {});
        }
        folder = entry.folder();
    }

    /// Opens engine and executor; closing both is part of the time.
    @Benchmark
    public String open() throws EngineFormatException, ExecutorException {
        HostOptions options = new HostOptions(0, 1, true, 16, HostOptions.KvDtype.FP32,
                HostOptions.FloatActivations.FP32, HostOptions.Activations.FP32);
        try (Engine opened = Engine.open(folder)) {
            ModelShape shape = opened.descriptor().shape();
            long kvBytes = SEQUENCES * POSITIONS / options.blockTokens() * KvCache.blockBytes(shape, options);
            ExecutorSizes sizes = new ExecutorSizes(kvBytes, POSITIONS, POSITIONS, SEQUENCES);
            try (Executor executor =
                    HostExecutor.open(opened, options, LaneLayout.sharing(1), sizes, new SystemClock())) {
                return executor.description();
            }
        }
    }
}
