package org.inferometer.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.ExperimentRecord.ReaderNote;
import org.inferometer.report.compare.Findings;
import org.inferometer.ui.twin.Experiments;
import org.junit.jupiter.api.Test;

class ExperimentRecordTest {
    private static ExperimentRecord record(RunStatus status, int runs, List<ReaderNote> notes) {
        ExperimentManifest manifest = Experiments.manifest("id", Experiments.QUICK, status, null, Instant.EPOCH);
        return new ExperimentRecord(Path.of("id"), manifest,
                manifest.plan().stream().limit(runs).map(plan -> Experiments.runRecord(plan, manifest)).toList(),
                notes);
    }

    @Test
    void aStoppedExperimentSaysOnceWhatDidNotStart() {
        ExperimentRecord stopped = record(RunStatus.CANCELLED, 1, List.of());
        assertThat(stopped.runsText()).isEqualTo("1 of 4 runs complete, 3 did not start");
        assertThat(Findings.of(stopped)).filteredOn(finding -> finding.contains("did not start")).singleElement()
                .asString().startsWith("Stopped by the user: 1 of 4 runs complete, 3 did not start. ");
    }

    @Test
    void runsThatTheReaderNotedDidStart() {
        String folder = record(RunStatus.CANCELLED, 0, List.of()).manifest().runFolders().get(1);
        ExperimentRecord stopped =
                record(RunStatus.CANCELLED, 1, List.of(new ReaderNote(folder, "ended before its record began.")));
        assertThat(stopped.runsText()).isEqualTo("1 of 4 runs complete, 2 did not start");
    }

    @Test
    void workOfTheWindowBesideRunsIsAFinding() {
        ExperimentRecord plain = record(RunStatus.COMPLETE, 4, List.of());
        List<RunRecord> runs = new ArrayList<>(plain.runs());
        long second = 1_000_000_000L;
        for (int i = 0; i < 2; i++) {
            WindowUse use = new WindowUse("live", null, List.of(new WindowAction("results view", 0, 9 * second),
                    new WindowAction("report", 0, i * 2 * second)));
            RunRecord run = runs.get(i);
            runs.set(i, new RunRecord(run.folderName(), run.manifest().shownBy(use), run.observations(), run.notes()));
        }
        assertThat(Findings.of(new ExperimentRecord(plain.folder(), plain.manifest(), runs, List.of()))).contains(
                "The window worked beside 1 of 4 runs: report (2.0 s). It may have slowed them. Run again without it.");
        assertThat(Findings.of(plain)).noneMatch(finding -> finding.contains("window"));
    }

    @Test
    void aCompleteExperimentHasStartedAllRuns() {
        assertThat(record(RunStatus.COMPLETE, 4, List.of()).runsText()).isEqualTo("4 of 4 runs complete");
        assertThat(record(RunStatus.COMPLETE, 0, List.of()).runsText()).isEqualTo("0 of 4 runs complete");
    }
}
