package org.inferometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.WordTokenizer;
import org.inferometer.units.SecretMask;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;

/// What the live picture hears of a request.
class RequestRecorderTest {
    private static final RequestId ID = new RequestId(0);
    private static final int[] ONE = {0};

    private final LiveCounters counters = new LiveCounters();
    private final RequestRecorder recorder = new RequestRecorder(
            new RunPhase(Phase.MEASURE, List.of(new Request(ID, new int[]{1}, 128, new Arrival.At(0), Sampling.GREEDY)),
                    new ArrivalProcess.ClosedLoop(1)),
            counters, outcome -> {});

    @Test
    void allTokensOfAToolsProfileCountAndItsTwoInstantsAreNoGap() {
        recorder.counted(ID, new TokenCounts(1, 128, TokenSource.PROFILE));
        recorder.tokens(ID, 100, ONE);
        recorder.tokens(ID, 1_270_000_100, ONE);
        assertThat(counters.outputTokens()).isEqualTo(128);
        assertThat(Arrays.stream(counters.itlBins()).sum()).isZero();
        assertThat(Arrays.stream(counters.ttftBins()).sum()).isEqualTo(1);
    }

    @Test
    void textsOfAnEngineAreDecodedAndThoseOfATargetAreItsOwn() {
        assertThat(texts(new RequestTexts.Source.Engine(new WordTokenizer(1000)::decode)))
                .isEqualTo(new RunEvent.RequestText(300, ID, new WordTokenizer(1000).decode(new int[]{1}),
                        new WordTokenizer(1000).decode(new int[]{7, 8, 9})));
        assertThat(texts(new RequestTexts.Source.Target(text -> text.replace("key", "***"))))
                .isEqualTo(new RunEvent.RequestText(300, ID, "as *** sent", "one *** two"));
    }

    /// A later turn of a chat that sends real answers.
    @Test
    void thePromptOfAServersOwnAnswersHasNoAskedLength() {
        List<RequestOutcome> ended = new ArrayList<>();
        for (boolean drawn : new boolean[]{true, false}) {
            Request request = new Request(ID, new int[]{1, 2}, 1, new Arrival.At(0), Sampling.GREEDY);
            RequestRecorder keeping =
                    new RequestRecorder(new RunPhase(Phase.MEASURE, List.of(request), new ArrivalProcess.ClosedLoop(1)),
                            new LiveCounters(), ended::add);
            keeping.sending(request, 5, 10);
            keeping.counted(ID, new TokenCounts(9, 1, TokenSource.SERVER_USAGE, drawn));
            keeping.tokens(ID, 100, ONE);
            keeping.ended(ID, 110, RequestStatus.OK, "");
        }
        assertThat(ended).extracting(RequestOutcome::askedPromptTokens).containsExactly(2, 0);
    }

    /// The wait for a connection is send lateness, not service.
    @Test
    void aRequestIsSentWhenItLeaves() {
        List<RequestOutcome> ended = new ArrayList<>();
        Request request = new Request(ID, new int[]{1}, 1, new Arrival.At(0), Sampling.GREEDY);
        RequestRecorder waiting =
                new RequestRecorder(new RunPhase(Phase.MEASURE, List.of(request), new ArrivalProcess.ClosedLoop(1)),
                        new LiveCounters(), ended::add);
        waiting.sending(request, 5, 10);
        waiting.departed(ID, 70);
        waiting.tokens(ID, 100, ONE);
        waiting.ended(ID, 110, RequestStatus.OK, "");
        assertThat(ended).extracting(RequestOutcome::intendedNanos).containsExactly(5L);
        assertThat(ended).extracting(RequestOutcome::sentNanos).containsExactly(70L);
    }

    @Test
    void anAnswerThatCannotBeMaskedIsLeftOut() {
        assertThat(texts(new RequestTexts.Source.Target(text -> {
            throw new IllegalStateException(text);
        }))).isEqualTo(new RunEvent.RequestText(300, ID, SecretMask.LEFT_OUT, SecretMask.LEFT_OUT));
    }

    private static RunEvent texts(RequestTexts.Source source) {
        List<RunEvent> events = new ArrayList<>();
        Request request = new Request(ID, new int[]{1}, 128, new Arrival.At(0), Sampling.GREEDY);
        RequestRecorder keeping =
                new RequestRecorder(new RunPhase(Phase.MEASURE, List.of(request), new ArrivalProcess.ClosedLoop(1)),
                        new LiveCounters(), outcome -> {}, new RequestTexts(source, event -> events.add(event.get())));
        keeping.sending(request, 0, 0);
        if (source instanceof RequestTexts.Source.Target) {
            keeping.prompt(ID, "as key sent");
            keeping.text(ID, "one ke");
            keeping.text(ID, "y two");
        }
        keeping.tokens(ID, 100, new int[]{7, 8});
        keeping.tokens(ID, 200, new int[]{9});
        keeping.ended(ID, 300, RequestStatus.OK, "");
        return events.getFirst();
    }

    @Test
    void tokensThatCameTogetherInAChunkCountOnceTheServerTellsOfThem() {
        recorder.tokens(ID, 100, ONE);
        recorder.tokens(ID, 200, ONE);
        assertThat(counters.outputTokens()).isEqualTo(2);
        recorder.counted(ID, new TokenCounts(1, 7, TokenSource.SERVER_USAGE));
        assertThat(counters.outputTokens()).isEqualTo(7);
        assertThat(Arrays.stream(counters.itlBins()).sum()).isEqualTo(1);
    }
}
