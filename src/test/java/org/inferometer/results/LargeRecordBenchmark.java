package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.Figure;
import org.inferometer.record.RunRecord;
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

/// How long a record takes from its folder to all of its figures, cold, in a heap of 1 GiB: a fork a shot, no warm-up, as `results show` meets it.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgs = "-Xmx1g")
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class LargeRecordBenchmark {
    @Param("1000000")
    private int requests;

    private Path folder = Path.of("");

    /// Writes the record.
    @Setup
    public void write() throws IOException {
        folder = Files.createTempDirectory("large-record");
        LargeRecord.write(folder.resolve("run-000"), requests);
    }

    /// Reads it and derives every figure.
    @Benchmark
    public List<Figure> loadWithAllFigures() throws IOException {
        RunRecord record = new RunReader(folder.resolve("run-000")).read();
        return RunFigures.of(record.observations());
    }

    /// Deletes the record.
    @TearDown
    public void delete() throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
