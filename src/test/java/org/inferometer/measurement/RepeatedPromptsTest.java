package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunManifest.SystemUnderTest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.ServerIdentity;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

/// Prompts of a file that a server got before.
public class RepeatedPromptsTest {
    private static final String SERVER = "http:url=http://a.test";
    private static final WorkloadSpec FILE = new WorkloadPresets().find("short").withPromptFile("prompts.txt");

    private final List<RunRecord> runs = new ArrayList<>();

    /// A run of a server in a cell of its own.
    ///
    /// @param different texts of its draw; 0 where it is not recorded
    /// @param ttftMillis of each request
    public static RunRecord run(int number, int cell, String target, WorkloadSpec load, int different,
            long... ttftMillis) {
        List<RequestOutcome> requests = IntStream.range(0, ttftMillis.length)
                .mapToObj(i -> Outcomes.ok(i, 100L * i, 100L * i + ttftMillis[i], 100L * i + ttftMillis[i] + 5))
                .toList();
        SystemUnderTest system = new SystemUnderTest(target, "", "m", "", false, RunManifest.Pools.UNKNOWN,
                new ServerIdentity("m", "", "", ""), List.of(), null, null);
        RunManifest manifest = new RunManifest(RunManifest.FORMAT_VERSION,
                SamplePlans.plan("x", number, cell, new Cell(new TargetSubject(Selection.parse(target)), load), number,
                        "", "run-" + number, 0, number, 100, 0, new Limits(0, 0, 0), LaneLayout.sharing(1)),
                SampleRecords.MACHINE, system, "", Instant.EPOCH,
                new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, null));
        return new RunRecord("run-" + number, manifest,
                new RunObservations(requests, List.of(), List.of(), new RunObservations.Setup(1, 4, 2, 100),
                        different == 0 ? List.of() : List.of(new RunEvent.PromptTexts(0, different))),
                List.of());
    }

    private RepeatedPromptsTest sent(String target, WorkloadSpec load, int requests, int different) {
        runs.add(run(runs.size(), 0, target, load, different, new long[requests]));
        return this;
    }

    /// "repeated of sent" by run.
    private Map<Integer, String> repeated() {
        return RepeatedPrompts.of(runs.reversed()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, figure -> text(figure.getValue())));
    }

    private static String text(Figure figure) {
        return (int) figure.value() + " of " + figure.n();
    }

    @Test
    void secondPassThroughAFileRepeatsItsPrompts() {
        assertThat(sent(SERVER, FILE, 10, 4).repeated()).containsExactly(Map.entry(0, "6 of 10"));
    }

    @Test
    void laterRunsAndCellsRepeatWhatEarlierOnesSent() {
        assertThat(sent(SERVER, FILE, 3, 3).sent(SERVER, FILE, 5, 5)
                .sent(SERVER + ",connections=9", FILE.withRequests(4), 4, 4).repeated())
                .isEqualTo(Map.of(0, "0 of 3", 1, "3 of 5", 2, "4 of 4"));
    }

    @Test
    void olderRecordsTellWhatEarlierRunsSent() {
        assertThat(sent(SERVER, FILE, 3, 0).sent(SERVER, FILE, 5, 0).repeated())
                .isEqualTo(Map.of(0, "0 of 3", 1, "3 of 5"));
    }

    @Test
    void otherServersModelsAndFilesAreOthers() {
        assertThat(sent(SERVER, FILE, 4, 4).sent("http:url=http://b.test", FILE, 4, 4)
                .sent(SERVER + ",model=b", FILE, 4, 4).sent(SERVER, FILE.withPromptFile("more.txt"), 4, 4)
                .sent(SERVER, FILE, 4, 4).repeated())
                .isEqualTo(Map.of(0, "0 of 4", 1, "0 of 4", 2, "0 of 4", 3, "0 of 4", 4, "4 of 4"));
    }

    @Test
    void variedPromptsAreNewAndDrawnOnesAreNotCounted() {
        WorkloadSpec varied = FILE.withRefinements(FILE.refinements().withVaryPrompts(true));
        assertThat(sent(SERVER, varied, 4, 4).sent(SERVER, varied, 4, 4).sent(SERVER, FILE.withPromptFile(null), 4, 0)
                .sent(SERVER, FILE, 4, 4).sent(SERVER, varied, 4, 4).repeated())
                .isEqualTo(Map.of(0, "0 of 4", 1, "0 of 4", 3, "0 of 4", 4, "0 of 4"));
    }

    @Test
    void startedServerForgetsWhenItEnds() {
        String started = "serve:command=vllm";
        assertThat(sent(started, FILE, 4, 4).sent(started, FILE, 4, 4).sent(SERVER, FILE, 4, 4)
                .sent(started, FILE, 4, 4).repeated())
                .isEqualTo(Map.of(0, "0 of 4", 1, "4 of 4", 2, "0 of 4", 3, "0 of 4"));
        runs.clear();
        assertThat(sent(started + ",restart=run", FILE, 4, 4).sent(started + ",restart=run", FILE, 4, 4).repeated())
                .isEqualTo(Map.of(0, "0 of 4", 1, "0 of 4"));
    }
}
