package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TelemetryRowsTest {
    private static final GpuSample FULL = new GpuSample(1, 5e9, 71.5, 300, 1234.5, 1980, 55, 4, 41.5, 3201);
    private static final GpuSample WITHOUT_MEMORY =
            new GpuSample(1, 5e9, 71.5, 300, 1234.5, 1980, 55, 4, Double.NaN, Double.NaN);

    @TempDir
    Path folder = Path.of("");

    private static TelemetrySample sample(Optional<GpuSample> gpu) {
        return new TelemetrySample(7, new long[]{1, 2, 3, 4, 6, 5}, 21, 6, 8, 9, 10, gpu.orElse(null));
    }

    private Path written(TelemetrySample... samples) throws IOException {
        Path file = folder.resolve(RecordFiles.TELEMETRY);
        try (CsvWriter out = new CsvWriter(file, TelemetryRows.COLUMNS)) {
            for (TelemetrySample sample : samples) {
                TelemetryRows.write(out, sample);
            }
        }
        return file;
    }

    private static List<Optional<GpuSample>> gpus(Path file) throws IOException {
        List<Optional<GpuSample>> read = new ArrayList<>();
        try (CsvReader in = new CsvReader(file, TelemetryRows.COLUMNS, TelemetryRows.MAX_ROWS)) {
            while (in.next()) {
                read.add(TelemetryRows.read(in).gpuReadings());
            }
        }
        return read;
    }

    @Test
    void everyReadingOfACardComesBack() throws IOException {
        Path file = written(sample(Optional.of(FULL)), sample(Optional.empty()), sample(Optional.of(WITHOUT_MEMORY)));
        assertThat(gpus(file)).containsExactly(Optional.of(FULL), Optional.empty(), Optional.of(WITHOUT_MEMORY));
    }
}
