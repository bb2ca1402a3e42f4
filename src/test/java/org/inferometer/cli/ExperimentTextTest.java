package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTextTest {
    @TempDir
    Path folder;

    @Test
    void runsThatMissTheSameConditionShareALine() throws IOException {
        ExperimentManifest manifest = Samples.manifest(Samples.oneCell(3), RunStatus.COMPLETE, "", Samples.PREVIEW);
        List<RunRecord> runs = List.of(run(manifest.plan().get(0), "3 of 20"), run(manifest.plan().get(1), "1 of 20"),
                run(manifest.plan().get(2), "3 of 20"));
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        Terminal terminal = new Terminal(new ByteArrayInputStream(new byte[0]), nowhere, nowhere, false, false, 110);
        try (CliFixture cli = new CliFixture(folder)) {
            assertThat(new ExperimentText(cli.reports(), terminal)
                    .of(new ExperimentRecord(folder, manifest, runs, List.of()))).contains("""

                            Not met by single runs
                              run-0, run-2: no failed requests (3 of 20). See the reasons.
                              run-1: no failed requests (1 of 20). See the reasons.

                            Result: """);
        }
    }

    private static RunRecord run(RunPlan plan, String failed) {
        RunManifest made = SampleRecords.manifest(plan, RunStatus.COMPLETE);
        Verdict verdict = new Verdict(Verdict.Grade.INVALID,
                List.of(new Verdict.Condition(Verdict.Requirement.NO_FAILURES, "no failed requests",
                        Verdict.State.BROKEN, failed, "See the reasons."),
                        new Verdict.Condition(Verdict.Requirement.NO_THROTTLING, "no thermal throttling",
                                Verdict.State.NOT_CHECKED, "no readings", "")));
        return new RunRecord(plan.folderName(),
                new RunManifest(made.formatVersion(), plan, made.machine(), made.system(), made.workloadHash(),
                        made.anchorWall(), new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, verdict)),
                new RunObservations(List.of(), List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0)), List.of());
    }
}
