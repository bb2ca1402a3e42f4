package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.RunEvent;
import org.junit.jupiter.api.Test;

/// Readings at 0, 1, ... s; the window is from 1.5 to 4.5 s.
class ServerFiguresTest {
    private static final RunWindow WINDOW = new RunWindow(1_500_000_000L, 4_500_000_000L);
    private final List<RunEvent> events = new ArrayList<>();

    private void read(String name, double... values) {
        for (int second = 0; second < values.length; second++) {
            if (!Double.isNaN(values[second])) {
                events.add(new RunEvent.Gauge(second * 1_000_000_000L, name, values[second]));
            }
        }
    }

    private void counted(int second, String name, boolean first, List<Double> bounds, List<Long> added) {
        SortedMap<Double, Long> counts = new TreeMap<>();
        for (int i = 0; i < bounds.size(); i++) {
            counts.put(bounds.get(i), added.get(i));
        }
        events.add(new RunEvent.HistogramGrew(second * 1_000_000_000L, name, first, counts));
    }

    private List<String> figures() {
        return ServerFigures.of(events, WINDOW).stream().map(ServerFiguresTest::text).toList();
    }

    private static String text(Figure figure) {
        return figure.metric().id() + " " + figure.value() + " of " + figure.n()
                + (figure.bucket() instanceof CellFigure.Ends(double low, double high) ? " in " + low + " to " + high
                        : "");
    }

    /// 10 requests before and 6 inside, whose sum is 3 s; unchanged counters were not written again.
    @Test
    void timesAreThoseOfTheRequestsThatEndedInside() {
        read("vllm:time_to_first_token_seconds_sum", 1, 8, 9, 11, Double.NaN, 30);
        read("vllm:time_to_first_token_seconds_count", 4, 10, 12, 16, Double.NaN, 20);
        assertThat(figures()).containsExactly("server_ttft_mean 5.0E8 of 6");
    }

    @Test
    void levelsAreMeansOfTheReadingsAndReplicasAddUp() {
        read("vllm:num_requests_running{engine=0}", 9, 9, 1, 2, 3, 9);
        read("vllm:num_requests_running{engine=1}", 9, 9, 4, 4, 4, 9);
        read("vllm:kv_cache_usage_perc{engine=0}", 1, 1, 0.2, 0.4, 0.6, 1);
        read("vllm:kv_cache_usage_perc{engine=1}", 1, 1, 0.2, 0.2, 0.2, 1);
        assertThat(figures()).containsExactly("server_running_mean 6.0 of 6",
                "server_kv_use_mean 0.30000000000000004 of 6", "server_kv_use_peak 0.6 of 6");
    }

    @Test
    void acceptanceIsOfTheTokensDraftedInside() {
        read("vllm:spec_decode_num_draft_tokens_total", 0, 100, 110, 120, 140);
        read("vllm:spec_decode_num_accepted_tokens_total", 0, 50, 55, 60, 60);
        read("vllm:num_preemptions_total", 3, 3);
        assertThat(figures()).containsExactly("server_preemptions 0.0 of 0", "server_acceptance 0.25 of 40");
    }

    /// 20 inside: 8 up to 0.5 s, 10 up to 1 s, 1 up to 4 s, 1 above. What was counted before and after is left out.
    @Test
    void percentilesAreLinearWithinTheBucketsOfTheWindow() {
        String name = "vllm:time_to_first_token_seconds";
        read(name + "_sum", 100, 100, 105, 110, 112);
        read(name + "_count", 100, 100, 110, 120, 120);
        List<Double> bounds = List.of(0.5, 1.0, 4.0, Double.POSITIVE_INFINITY);
        counted(0, name, true, bounds, List.of(70L, 10L, 10L, 10L));
        counted(2, name, false, List.of(0.5, 1.0), List.of(2L, 8L));
        counted(4, name, false, List.of(0.5, 1.0, 4.0, Double.POSITIVE_INFINITY), List.of(6L, 2L, 1L, 1L));
        counted(5, name, false, List.of(4.0), List.of(50L));
        assertThat(figures()).containsExactly("server_ttft_mean 6.0E8 of 20",
                "server_ttft_p50 6.0E8 of 20 in 5.0E8 to 1.0E9", "server_ttft_p90 1.0E9 of 20 in 5.0E8 to 1.0E9",
                "server_ttft_p95 4.0E9 of 20 in 1.0E9 to 4.0E9");
        assertThat(ServerFigures.of(events, WINDOW).stream().map(Figure::enough)).containsExactly(true, true, false,
                false);
    }

    @Test
    void aHistogramThatBeganAgainInsideHasNoPercentiles() {
        String name = "sglang:e2e_request_latency_seconds";
        read(name + "_sum", 1, 1, 2, 3, 4);
        read(name + "_count", 1, 1, 2, 3, 4);
        List<Double> bounds = List.of(1.0, Double.POSITIVE_INFINITY);
        counted(0, name, true, bounds, List.of(1L, 0L));
        counted(2, name, false, List.of(1.0), List.of(1L));
        counted(3, name, true, bounds, List.of(1L, 0L));
        counted(4, name, false, List.of(1.0), List.of(1L));
        assertThat(figures()).containsExactly("server_e2e_mean 1.0E9 of 3");
    }

    /// Below 0, not finite, and a share that is none.
    @Test
    void impossibleReadingsAreNone() {
        read("vllm:num_requests_running", 0, 0, -5, Double.POSITIVE_INFINITY, 1e300);
        read("vllm:num_requests_waiting", 0, 0, 2, -7, 4);
        read("vllm:kv_cache_usage_perc", 0, 0, 0.5, 28, 0.5);
        assertThat(figures()).containsExactly("server_waiting_mean 3.0 of 2");
    }

    @Test
    void aCounterThatFellAndRosePastItsStartGivesNoFigure() {
        read("vllm:num_preemptions_total", 10, 10, 2, 30, 40);
        assertThat(figures()).isEmpty();
    }

    @Test
    void aCounterThatFellOrNothingThatEndedGivesNoFigure() {
        read("sglang:queue_time_seconds_sum", 5, 6, 1, 2, 3);
        read("sglang:queue_time_seconds_count", 5, 6, 1, 2, 3);
        read("sglang:e2e_request_latency_seconds_sum", 5, 5);
        read("sglang:e2e_request_latency_seconds_count", 5, 5);
        read("vllm:num_requests_waiting", 7, 7);
        assertThat(figures()).isEmpty();
    }
}
