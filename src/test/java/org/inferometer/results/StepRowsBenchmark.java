package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Slice;
import org.inferometer.workload.RequestId;
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

/// What the writer's thread spends on one step of 64 rows: `0` when it follows the step before, else with one slice changed.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StepRowsBenchmark {
    private static final int ROWS = 64;
    private static final int STEPS = 1000;

    @Param({"0", "1"})
    private int changed;

    private Path file = Path.of("");
    private StepRows rows = new StepRows();
    private List<StepReport> steps = List.of();
    private int at;

    private CsvWriter out = open();

    private CsvWriter open() {
        try {
            file = Files.createTempFile("steps", ".csv");
            Files.delete(file);
            return new CsvWriter(file, StepRows.COLUMNS);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// Starts a file over, so that none grows large.
    @Setup(Level.Iteration)
    public void startOver() throws IOException {
        finish();
        out = open();
        rows = new StepRows();
        steps = IntStream.range(0, STEPS).mapToObj(this::step).toList();
    }

    /// Takes the file away.
    @TearDown(Level.Trial)
    public void finish() throws IOException {
        out.close();
        Files.deleteIfExists(file);
    }

    /// One row.
    @Benchmark
    public void write() throws IOException {
        at = (at + 1) % STEPS;
        rows.write(out, steps.get(at));
    }

    private StepReport step(int number) {
        List<Slice> slices = IntStream.range(0, ROWS)
                .mapToObj(i -> new Slice(new RequestId(i < changed ? number : i), number, 1)).toList();
        return new StepReport(number, new LaneId(0), number * 10L, number * 10L + 9, 5, 1, StepSlices.of(slices), 0,
                ROWS, 0, 0, ROWS, 0, 300, "decode 64");
    }
}
