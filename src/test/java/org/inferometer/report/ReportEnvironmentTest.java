package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.report.document.ReportDocument;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.junit.jupiter.api.Test;

class ReportEnvironmentTest {
    private static final Selection SERVER = Selection.parse("http:url=http://example.org/v1");

    /// One run of a cell; of a server, or where nothing was measured, neither engine nor pools are known.
    private static ExperimentRecord record(ExperimentSpec spec, Cell cell, RunManifest.Pools pools, String executor,
            MachineDescription machine) {
        boolean known = !executor.isEmpty();
        RunPlan plan = SamplePlans.plan("x", 0, 0, cell, 0, "", "run-000", 4, 42, 100, 0, new Limits(8, 0, 0),
                LaneLayout.sharing(1));
        RunManifest run = new RunManifest(RunManifest.FORMAT_VERSION, plan, machine,
                new RunManifest.SystemUnderTest(cell.subject() instanceof TargetSubject(Selection target)
                        ? target.toString() : RunManifest.IN_PROCESS, executor, known ? "tiny" : "", "", known, pools),
                "", SampleRecords.STARTED, new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, null));
        ExperimentManifest manifest = new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, "x", spec,
                List.of(plan), machine, new ExperimentManifest.ExperimentTimes(SampleRecords.STARTED, null, null),
                new ExperimentManifest.ExperimentOutcome(RunStatus.COMPLETE, "", List.of(), null), false);
        return new ExperimentRecord(Path.of("x"), manifest,
                List.of(new RunRecord("run-000", run,
                        new RunObservations(List.of(), List.of(), List.of(),
                                new RunObservations.Setup(0, cell.subject() instanceof TargetSubject ? 0 : 8, 0, 0)),
                        List.of())),
                List.of());
    }

    /// All but the load, in order.
    private static Map<String, String> environment(ExperimentRecord record) {
        Map<String, String> rows = new LinkedHashMap<>(ReportDocument
                .of(List.of(record), ReportOutline.USUAL, SchedulerRegistry.standard(), new TextAnonymizer(List.of()))
                .parts().getFirst().environment());
        assertThat(rows.remove("Workload short")).isNotEmpty();
        return rows;
    }

    private static Map<String, String> rows(String... namesAndValues) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            rows.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return rows;
    }

    @Test
    void inProcessEngineHasAllEnvironmentRows() {
        ExperimentSpec spec = SampleRecords.spec(3);
        assertThat(environment(record(spec, spec.cells().getFirst(),
                new RunManifest.Pools(1, 16, List.of(128), 4096, List.of(), false), "host, 2 threads",
                SampleRecords.MACHINE)))
                .containsExactlyEntriesOf(rows("Inferometer", "0.1.0", "Operating system", "Linux 6.1, amd64",
                        "Processor", "Example CPU, 8 cores, 4 cores, 8 threads, 512-bit vectors", "Memory", "16.0 GiB",
                        "GPU", "none", "Java", "OpenJDK 25", "Java flags", "-XX:+UseZGC", "CPU governor", "performance",
                        "GPU driver", "590.1, clocks up to 1980 MHz", "Background load",
                        "2 % of all cores before the run", "Target", "in-process engine", "Executor", "host, 2 threads",
                        "Engine weights", "tiny-fp8: synthetic", "KV pools", "[128] blocks of 16 tokens, 4.00 KiB each",
                        "Batch limit", "8 requests per step", "Runs", "3 per cell, 4 warm-up requests, seed 42"));
    }

    @Test
    void serverHasNoEngineRows() {
        ExperimentSpec spec = SampleRecords.spec(3).onTargetsOnly(List.of(SERVER));
        MachineDescription bare = new MachineDescription("Linux 6.1", "amd64", "Example CPU", 0, 0, 0, "OpenJDK 25",
                null, List.of(), "0.1.0");
        assertThat(environment(record(spec, spec.cells().getFirst(), RunManifest.Pools.UNKNOWN, "", bare)))
                .containsExactlyEntriesOf(rows("Inferometer", "0.1.0", "Operating system", "Linux 6.1, amd64",
                        "Processor", "Example CPU", "GPU", "none", "Java", "OpenJDK 25", "Target",
                        "http:url=http://host/v1", "Runs", "3 per cell, 4 warm-up requests, seed 42"));
    }

    @Test
    void runThatNeverStartedHasNoWeightsOrPools() {
        ExperimentSpec spec = SampleRecords.spec(3);
        assertThat(environment(
                record(spec, spec.cells().getFirst(), RunManifest.Pools.UNKNOWN, "", SampleRecords.MACHINE)))
                .doesNotContainKeys("Executor", "Engine weights", "KV pools")
                .containsEntry("Batch limit", "8 requests per step");
    }
}
