package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.plugin.Plugins;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a plan says of a trace before the run.
class TracePlanTest {
    @TempDir
    private Path folder;

    @Test
    void planSaysRowsTimeAndRateAndWarnsOfAWrongUnit() throws IOException {
        Path file = Files.writeString(folder.resolve("t.jsonl"), """
                {"timestamp": 0, "input_length": 10, "output_length": 5}
                {"timestamp": 1, "input_length": 10, "output_length": 5}
                {"timestamp": 2, "input_length": 10, "output_length": 5}
                """);
        BenchmarkService service =
                new Program(new Workspace(folder), EnvironmentVariables.ofProcess(), Plugins.NONE).benchmarks(folder);
        ExperimentSpec wrong = spec("trace:" + file, "short", "trace:" + folder.resolve("none.csv"));
        ExperimentSpec right = spec("trace:" + file + ",unit=s");
        assertThat(service.estimate(wrong).traces())
                .containsExactly("trace:t.jsonl: 3 requests over 2.00 ms, 1500 req/s.");
        assertThat(service.warnings(wrong)).contains("trace:t.jsonl: 3 requests over 2.00 ms, 1500 req/s:"
                + " the unit of its timestamps may be wrong. Check unit=s or unit=ms, and speed.");
        assertThat(service.estimate(right).traces())
                .containsExactly("trace:t.jsonl: 3 requests over 2000 ms, 1.50 req/s.");
        assertThat(service.warnings(right)).noneMatch(warning -> warning.contains("unit"));
    }

    private static ExperimentSpec spec(String... workloads) {
        WorkloadPresets presets = new WorkloadPresets();
        return new Presets().find("quick").withWorkloads(List.of(workloads).stream().map(presets::find).toList());
    }
}
