package org.inferometer.serving;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.serving.TestRequests.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.StopRule;
import org.junit.jupiter.api.Test;

class EngineCoreTest {
    private static final Limits LIMITS = new Limits(2, 8, 20);
    private static final int[] NO_ENDS = {};
    private static final float[][] NO_LOGITS = {};

    private final EventJournal journal = new EventJournal();
    private final List<String> started = new ArrayList<>();
    private final StepStarter starter =
            (lane, job) -> started.add("step " + ((Step) job).number() + " on lane " + lane.id().index());

    @Test
    void idleLanesAreAskedAndBusyOnesAreNot() {
        EngineCore core = core(2, EngineCoreTest::oldestPrompt);
        core.arrive(request(0, 4, 4), 0);

        assertThat(core.scheduleIdleLanes(TestRequests.clockAt(7), starter)).isEqualTo(EngineCore.NEVER);
        core.arrive(request(1, 4, 4), 8);
        core.scheduleIdleLanes(TestRequests.clockAt(9), starter);
        core.arrive(request(2, 4, 4), 10);
        core.scheduleIdleLanes(TestRequests.clockAt(11), starter);

        assertThat(started).containsExactly("step 0 on lane 0", "step 1 on lane 1");
    }

    @Test
    void earliestWaitOfAllLanesIsReturned() {
        EngineCore core =
                core(3, (lane, view) -> new Decision.WaitUntil(view.nowNanos() + 30 - 10 * lane.id().index()));
        core.arrive(request(0, 4, 4), 0);
        core.arrivalsEnded();

        assertThat(core.scheduleIdleLanes(TestRequests.clockAt(100), starter)).isEqualTo(110);
        assertThat(journal.failures).isEmpty();
    }

    @Test
    void decisionTimeOfEachStepIsReported() {
        EngineCore core = core(1, EngineCoreTest::oldestPrompt);
        core.arrive(request(0, 4, 1), 0);
        core.scheduleIdleLanes(TestRequests.clockAt(100, 142), starter);
        core.complete(TestRequests.LANE, completed(new int[]{5}, NO_ENDS), 200);

        assertThat(journal.steps).singleElement().satisfies(step -> assertThat(step.decisionNanos()).isEqualTo(42));
    }

    @Test
    void severalTokensOfASliceArriveTogether() {
        EngineCore core = core(1, EngineCoreTest::oldestPrompt);
        core.arrive(request(0, 4, 9), 0);
        core.scheduleIdleLanes(TestRequests.clockAt(1), starter);
        core.complete(TestRequests.LANE, completed(new int[]{5, 6, 7}, new int[]{3}), 2);

        assertThat(journal.tokens).containsEntry(0, List.of(5, 6, 7));
        assertThat(journal.ends).isEmpty();
    }

    @Test
    void tokensBeyondTheStopRuleAreDropped() {
        EngineCore core = core(1, EngineCoreTest::oldestPrompt);
        core.arrive(request(0, 4, 2), 0);
        core.scheduleIdleLanes(TestRequests.clockAt(1), starter);
        core.complete(TestRequests.LANE, completed(new int[]{5, 6, 7}, new int[]{3}), 2);

        assertThat(journal.tokens).containsEntry(0, List.of(5, 6));
        assertThat(journal.ends).containsEntry(0, RequestStatus.OK);
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
    }

    @Test
    void everySampledSliceNeedsATokenOfItsOwn() {
        assertThatThrownBy(() -> completed(new int[]{5, 6}, new int[]{2, 2}))
                .hasMessage("A sampled slice has no token.");
        assertThatThrownBy(() -> completed(new int[]{5, 6}, new int[]{1})).hasMessage("The slices have 1 of 2 tokens.");
    }

    @Test
    void endOfSequenceEndsAnAnswerThatAsksForIt() {
        assertThat(answerOf(new EarlyEnd(true, List.of()), 'o', 'n', 9, 'e')).isEqualTo("on\tOK");
        assertThat(answerOf(EarlyEnd.NONE, 'o', 'n', 9, 'e')).isEqualTo("on\te");
    }

    @Test
    void stopTextEndsAnAnswerAcrossTokens() {
        assertThat(answerOf(new EarlyEnd(false, List.of("#end", "##")), 'a', '#', 'b', '#', '#', 'c'))
                .isEqualTo("a#b##OK");
        assertThat(answerOf(new EarlyEnd(true, List.of("##")), 'a', '#', 9, '#')).isEqualTo("a#\tOK");
        assertThat(answerOf(new EarlyEnd(false, List.of("##")), 'a', '#', 'b')).isEqualTo("a#b");
    }

    /// The tokens as letters, then the end if there is one; the end of sequence is a tab.
    private String answerOf(EarlyEnd early, int... tokens) {
        EngineSetup plain = TestRequests.setup(1, 2, 20, LIMITS);
        EngineSetup setup = new EngineSetup(plain.lanes(), plain.pools(), plain.limits(), plain.memory(),
                new AnswerEnds(Set.of(9), new ByteTokenizer(300)), 0);
        EventJournal answer = new EventJournal();
        EngineCore core = new EngineCore(setup, EngineCoreTest::oldestPrompt, answer, answer);
        Request asked = request(0, 4, 9);
        core.arrive(new Request(asked.id(), asked.promptTokens(), new StopRule(9, early), asked.arrival(),
                asked.sampling(), asked.deadlines(), null), 0);
        core.scheduleIdleLanes(TestRequests.clockAt(1), starter);
        core.complete(TestRequests.LANE, completed(tokens, new int[]{tokens.length}), 2);
        String letters =
                answer.tokens.get(0).stream().map(token -> String.valueOf((char) (int) token)).collect(joining());
        return letters + (answer.ends.containsKey(0) ? answer.ends.get(0) : "");
    }

    private EngineCore core(int lanes, Scheduler scheduler) {
        return new EngineCore(TestRequests.setup(lanes, 2, 20, LIMITS), scheduler, journal, journal);
    }

    /// Admits the oldest waiting request with its whole prompt.
    private static Decision oldestPrompt(Lane lane, org.inferometer.scheduling.EngineView view) {
        for (RequestProgress progress : view.waiting()) {
            KvReservation kv = view.reserveKv(lane.pool());
            kv.reserve(progress, progress.known());
            Slice slice = new Slice(progress.request().id(), 0, progress.known());
            return new Decision.Run(new Work.Compute(List.of(slice), 0), kv.plan(), "test");
        }
        return new Decision.Idle();
    }

    private static StepOutcome completed(int[] tokens, int[] tokenEnds) {
        return new StepOutcome.Completed(tokens, tokenEnds, 1, 2, 1, NO_LOGITS);
    }
}
