package org.inferometer.results;

import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.Figure;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RequestOutcome;
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
    private static final int[] COUNTS = {0, 2, 3, 11, 12};
    private static final int[] INSTANTS = {4, 5, 6, 7, 8};

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

    /// Reads the typed columns of the requests alone, on one thread, with the reader of this program.
    @Benchmark
    public long requestsWithOwnReader() throws IOException {
        long sum = 0;
        try (CsvReader in = new CsvReader(requestsFile(), RequestRows.COLUMNS, RequestRows.MAX_ROWS)) {
            while (in.next()) {
                sum += in.number(1, 0, 1) + in.text(9).length() + in.text(10).length() + in.text(13).length();
                for (int column : COUNTS) {
                    sum += in.count(column);
                }
                for (int column : INSTANTS) {
                    sum += in.instant(column);
                }
            }
        }
        return sum;
    }

    /// Reads the same columns with FastCSV.
    @Benchmark
    public long requestsWithFastCsv() throws IOException {
        long sum = 0;
        try (var in = de.siegmar.fastcsv.reader.CsvReader.builder().ofCsvRecord(requestsFile())) {
            for (CsvRecord row : in) {
                if (row.getStartingLineNumber() > 1) {
                    sum += typed(row);
                }
            }
        }
        return sum;
    }

    private static long typed(CsvRecord row) {
        long sum = Long.parseLong(row.getField(1)) + row.getField(9).length() + row.getField(10).length()
                + row.getField(13).length();
        for (int column : COUNTS) {
            sum += Integer.parseInt(row.getField(column));
        }
        for (int column : INSTANTS) {
            String text = row.getField(column);
            sum += text.isEmpty() ? RequestOutcome.ABSENT : Long.parseLong(text);
        }
        return sum;
    }

    private Path requestsFile() {
        return folder.resolve("run-000").resolve(RecordFiles.REQUESTS);
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
