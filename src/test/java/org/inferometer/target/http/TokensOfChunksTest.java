package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.inferometer.load.LiveCounters;
import org.inferometer.load.RequestRecorder;
import org.inferometer.load.RunPhase;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.Selection;
import org.inferometer.record.Figure;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Gaps and TPOT of a server that sends six chunks of several tokens, 10 ms apart, and counts them with every chunk, at the end, or not.
class TokensOfChunksTest {
    private static final long GAP_NANOS = 10_000_000;
    private static final int CHUNKS = 6;

    /// The true TPOT is 10 ms / tokens. It is not known where the first chunk may hold any number of tokens.
    @ParameterizedTest
    @CsvSource({"1,continuous,itl,10", "2,continuous,inter_chunk,5", "4,continuous,inter_chunk,2.5",
            "20,continuous,inter_chunk,0.5", "1,final,itl,10", "2,final,inter_chunk,", "4,final,inter_chunk,",
            "20,final,inter_chunk,", "1,off,inter_chunk,", "2,off,inter_chunk,", "4,off,inter_chunk,",
            "20,off,inter_chunk,"})
    void gapsAreItlOnlyIfEveryChunkHoldsOneToken(int tokens, String usage, String gaps, Double tpotMillis)
            throws Exception {
        RequestOutcome outcome = outcome(tokens, CHUNKS, usage);
        assertThat(outcome.eventNanos()).hasSize(CHUNKS);
        assertThat(outcome.outputTokens()).isEqualTo(usage.equals("off") ? CHUNKS : tokens * CHUNKS);
        Map<String, Double> figures = figures(outcome);
        assertThat(figures.keySet().stream().filter(id -> id.startsWith("itl_") || id.startsWith("inter_chunk_")))
                .allMatch(id -> id.startsWith(gaps + "_")).hasSize(5);
        assertThat(figures).containsEntry(gaps + "_mean", 10e6).containsEntry(gaps + "_p50", 10e6)
                .containsEntry(gaps + "_p99", 10e6);
        if (tpotMillis == null) {
            assertThat(figures).doesNotContainKeys("tpot_mean", "tpot_p50", "interactivity_mean");
        } else {
            assertThat(figures).containsEntry("tpot_mean", tpotMillis * 1e6);
        }
    }

    /// Two chunks of 20 tokens: one gap, and (10 ms) / (40 − 20). One chunk has neither.
    @ParameterizedTest
    @CsvSource({"2,continuous,10,0.5", "2,final,10,", "1,continuous,,", "1,final,,"})
    void fewChunksAreNotTheEndsOfAnAnswer(int chunks, String usage, Double gapMillis, Double tpotMillis)
            throws Exception {
        Map<String, Double> figures = figures(outcome(20, chunks, usage));
        assertThat(figures.get("inter_chunk_mean")).isEqualTo(gapMillis == null ? null : gapMillis * 1e6);
        assertThat(figures.get("tpot_mean")).isEqualTo(tpotMillis == null ? null : tpotMillis * 1e6);
        assertThat(figures.get("decode_latency_mean")).isEqualTo(gapMillis == null ? null : gapMillis * 1e6);
        assertThat(figures).doesNotContainKey("itl_mean");
    }

    /// 3 tokens more than chunks move TPOT by less than 5 % at 100 chunks, whichever chunk holds them; 6 more do not.
    @ParameterizedTest
    @CsvSource({"103,true", "106,false"})
    void fewMergedChunksLeaveTpot(int counted, boolean known) throws Exception {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            events.add(StreamJson.text("a"));
        }
        Map<String, Double> figures = figures(outcome(events, counted));
        assertThat(figures).containsKey("inter_chunk_mean").doesNotContainKey("itl_mean");
        assertThat(figures.get("tpot_mean")).isEqualTo(known ? 99 * 10e6 / (counted - 1) : null);
    }

    private static RequestOutcome outcome(int tokens, int chunks, String usage) throws Exception {
        List<String> events = new ArrayList<>();
        for (int i = 1; i <= chunks; i++) {
            events.add(usage.equals("continuous") ? StreamJson.textOf("ab", 3, i * tokens) : StreamJson.text("ab"));
        }
        return outcome(events, usage.equals("off") ? 0 : tokens * chunks);
    }

    /// What the recorder passes on for these events.
    ///
    /// @param counted of the usage at the end; 0 for none
    private static RequestOutcome outcome(List<String> events, int counted) throws Exception {
        Request request = Servers.request(0, 3, Math.max(1, counted));
        List<RequestOutcome> outcomes = new ArrayList<>();
        RequestRecorder recorder =
                new RequestRecorder(new RunPhase(Phase.MEASURE, List.of(request), new ArrivalProcess.ClosedLoop(1)),
                        new LiveCounters(), outcomes::add);
        ResponseStream stream = new ResponseStream(request, recorder, new ChunkReader(),
                HttpSettings.read(Selection.parse("http"), name -> Optional.empty()));
        assertThat(stream.head(new ResponseHead(200, "text/event-stream", "", ""))).isNull();
        long nanos = GAP_NANOS;
        for (String event : events) {
            assertThat(feed(stream, event, nanos)).isNull();
            nanos += GAP_NANOS;
        }
        feed(stream, StreamJson.finish("length"), nanos);
        if (counted > 0) {
            feed(stream, StreamJson.usage(3, counted), nanos);
        }
        assertThat(Objects.requireNonNull(feed(stream, "[DONE]", nanos)).status()).isEqualTo(RequestStatus.OK);
        recorder.counted(request.id(), stream.counts());
        recorder.ended(request.id(), nanos, RequestStatus.OK, "");
        return outcomes.getFirst();
    }

    private static StreamEnd feed(ResponseStream stream, String event, long nanos) {
        byte[] bytes = ("data: " + event + "\n\n").getBytes(StandardCharsets.UTF_8);
        return stream.body(bytes, 0, bytes.length, nanos);
    }

    private static Map<String, Double> figures(RequestOutcome outcome) {
        Predicate<Figure> ofGaps =
                figure -> figure.metric().id().matches("(itl|inter_chunk|tpot|interactivity|decode_l).*");
        return RunFigures
                .of(new RunObservations(List.of(outcome), List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0)))
                .stream().filter(ofGaps).collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
    }
}
