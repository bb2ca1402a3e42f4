package org.inferometer.measurement;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;

/// The registry of metrics. The last argument of each is its definition; `docs/metrics.md` has the same definitions and when a figure is
/// absent, and a test compares the two.
public final class Metrics {
    public static final MetricFamily TTFT = latency("ttft", "TTFT", "firstToken − intended, per ok request");
    public static final MetricFamily SERVICE_TTFT =
            latency("service_ttft", "Service TTFT", "firstToken − sent, per ok request");
    public static final MetricFamily SEND_LATENESS =
            latency("send_lateness", "Send lateness", "sent − intended, per sent request");
    public static final MetricFamily ENGINE_QUEUE =
            latency("engine_queue", "Engine queue", "admitted − sent, per ok request");
    public static final MetricFamily PREFILL_LATENCY =
            latency("prefill_latency", "Prefill latency", "firstToken − prefillStart, per ok request");
    public static final MetricFamily DECODE_LATENCY = latency("decode_latency", "Decode latency",
            "lastToken − firstToken, per ok request with more than one event");
    public static final MetricFamily E2E = latency("e2e", "E2E latency", "lastToken − intended, per ok request");
    public static final MetricFamily SERVICE_E2E =
            latency("service_e2e", "Service E2E latency", "lastToken − sent, per ok request");
    public static final MetricFamily TPOT = latency("tpot", "TPOT",
            "(lastToken − firstToken) / (n − k), k: tokens of the first event, per ok request with n > k tokens");
    public static final MetricFamily ITL = latency("itl", "ITL",
            "token[i] − token[i−1], every gap of every ok request, where every event holds one token");
    public static final MetricFamily INTER_CHUNK =
            latency("inter_chunk", "Inter-chunk latency", "event[i] − event[i−1], every gap of every ok request");
    public static final MetricFamily INTERACTIVITY = new MetricFamily("interactivity", "Interactivity",
            Unit.PER_SECOND_TOKENS, Better.HIGHER, "1 / TPOT, per ok request");
    public static final MetricFamily REPORTED_PREFILL = latency("reported_prefill", "Reported prefill time",
            "time of the prompt by the target's own clock, per ok request");
    public static final MetricFamily REPORTED_DECODE = latency("reported_decode", "Reported decode time",
            "time of the output by the target's own clock, per ok request");
    public static final MetricFamily STEP_TIME = latency("step_time", "Step time", "end − start, per measured step");
    public static final MetricFamily DECISION_TIME =
            latency("decision_time", "Decision time", "time of scheduler and ledger before a step, per measured step");
    public static final MetricFamily MOVE_TIME =
            latency("move_time", "KV transfer time", "end − start, per measured transfer");

    public static final Metric WINDOW = new Metric("window", "Window", Unit.NANOSECONDS, Better.NEITHER,
            "last measured lastToken − first measured intended");
    public static final Metric RATE_WINDOW = new Metric("rate_window", "Rate window", Unit.NANOSECONDS, Better.NEITHER,
            "the part of the window in which the load was offered in full");
    public static final Metric OFFERED_RATE = new Metric("offered_rate", "Offered rate", Unit.PER_SECOND_REQUESTS,
            Better.NEITHER, "(measured requests − 1) / time from the first to the last intended, in an open loop");
    public static final Metric REQUEST_THROUGHPUT = new Metric("request_throughput", "Request throughput",
            Unit.PER_SECOND_REQUESTS, Better.HIGHER, "ok requests that ended inside the rate window / rate window");
    public static final Metric OUTPUT_THROUGHPUT = new Metric("output_throughput", "Output throughput",
            Unit.PER_SECOND_TOKENS, Better.HIGHER, "output tokens inside the rate window / rate window");
    public static final Metric TOTAL_THROUGHPUT = new Metric("total_throughput", "Total throughput",
            Unit.PER_SECOND_TOKENS, Better.HIGHER,
            "(prompt tokens of requests whose first token came inside the rate window + output tokens inside it) / rate window");
    public static final Metric GOODPUT = new Metric("goodput", "Goodput", Unit.PER_SECOND_REQUESTS, Better.HIGHER,
            "ok requests that meet every limit of the SLO and ended inside the rate window / rate window; in an open loop the offered rate × their share");
    public static final Metric OBJECTIVE_MET = fraction("objective_met", "SLO met", Better.HIGHER,
            "ok requests that meet every limit of the SLO / measured requests; given up is a miss after a limit, and unknown before");
    public static final Metric COST_PER_MILLION = new Metric("cost_per_million", "Cost per million tokens",
            Unit.PRICE_PER_MILLION_TOKENS, Better.LOWER, "price per hour / output tokens per hour × 1,000,000");
    public static final Metric OUTPUT_TOKENS = count("output_tokens", "Output tokens", Better.NEITHER,
            "output tokens of measured requests inside the window");
    public static final Metric PROMPT_TOKENS = count("prompt_tokens", "Prompt tokens", Better.NEITHER,
            "prompt tokens of measured requests with a first token");

    public static final Metric REQUESTS_OK =
            count("requests_ok", "OK requests", Better.NEITHER, "measured requests that ended ok");
    public static final Metric REQUESTS_FAILED =
            count("requests_failed", "Failed requests", Better.LOWER, "measured requests that failed");
    public static final Metric REQUESTS_TIMED_OUT = count("requests_timed_out", "Timed-out requests", Better.LOWER,
            "measured requests that exceeded their timeout");
    public static final Metric REQUESTS_CANCELLED = count("requests_cancelled", "Cancelled requests", Better.LOWER,
            "measured requests that the client cancelled");
    public static final Metric REQUESTS_GAVE_UP = count("requests_gave_up", "Requests given up", Better.LOWER,
            "measured requests whose users went away, as the workload drew");
    public static final Metric REQUESTS_REFUSED =
            count("requests_refused", "Refused requests", Better.LOWER, "measured requests that the target refused");

    public static final Metric QUEUE_SHARE = fraction("queue_share", "Queue share", Better.LOWER,
            "sum of prefillStart − intended / sum of E2E, over ok requests");
    public static final Metric PREFILL_SHARE = fraction("prefill_share", "Prefill share", Better.NEITHER,
            "sum of firstToken − prefillStart / sum of E2E, over ok requests");
    public static final Metric DECODE_SHARE = fraction("decode_share", "Decode share", Better.NEITHER,
            "sum of lastToken − firstToken / sum of E2E, over ok requests");
    public static final Metric FAIRNESS = new Metric("fairness", "Fairness", Unit.RATIO, Better.LOWER,
            "P95 / P50 of E2E per output token, over ok requests");

    public static final Metric BATCH_EFFICIENCY = fraction("batch_efficiency", "Batch efficiency", Better.HIGHER,
            "useful positions / computed positions (padding included), over measured steps");
    public static final Metric BATCH_OCCUPANCY = fraction("batch_occupancy", "Batch occupancy", Better.HIGHER,
            "mean rows in flight over all lanes, while a measured step runs / row limit");
    public static final Metric LANE_UTILISATION = fraction("lane_utilisation", "Lane utilisation", Better.HIGHER,
            "busy time of the computing lanes inside the rate window / (rate window × computing lanes)");
    public static final Metric NON_KERNEL_SHARE = fraction("non_kernel_share", "Time outside kernels", Better.LOWER,
            "1 − kernel time / step time, over measured steps");
    public static final Metric KV_USE_MEAN = fraction("kv_use_mean", "KV use mean", Better.NEITHER,
            "blocks held / blocks of the pool, weighted by step time");
    public static final Metric KV_USE_PEAK = fraction("kv_use_peak", "KV use peak", Better.NEITHER,
            "most blocks held / blocks of the pool of any measured step");
    public static final Metric PREEMPTIONS = count("preemptions", "Preemptions", Better.LOWER,
            "running requests that lost their KV blocks inside the window");
    public static final Metric RECOMPUTED_TOKENS = count("recomputed_tokens", "Recomputed tokens", Better.LOWER,
            "sum of positions lost by a preemption − positions cached at readmission, over readmissions inside the window");
    public static final Metric PREFIX_HIT_RATE = fraction("prefix_hit_rate", "Prefix hit rate", Better.HIGHER,
            "cached prompt tokens at first admission / prompt tokens, over measured requests admitted inside the window; of servers by their own counts");
    public static final Metric REPEATED_PROMPTS = count("repeated_prompts", "Repeated prompts", Better.NEITHER,
            "measured requests with a prompt that the server got before, in the run or in an earlier one of the experiment");
    public static final Metric MOVES =
            count("moves", "KV transfers", Better.NEITHER, "measured transfers of KV blocks between pools");
    public static final Metric MOVED_BYTES =
            bytes("moved_bytes", "KV transfer bytes", "bytes that measured transfers copied");

    public static final Metric DEVICE_UTILISATION = fraction("device_utilisation", "Device utilisation", Better.NEITHER,
            "GPU: time-weighted mean of its utilisation by NVML or the exporter; host: process CPU time / (time × cores); inside the rate window");
    public static final Metric ENERGY_PER_TOKEN = new Metric("energy_per_token", "Energy per token",
            Unit.JOULES_PER_TOKEN, Better.LOWER,
            "increase of the GPUs' energy counters / output tokens, between the first and the last sample inside the rate window");
    public static final Metric GPU_POWER = new Metric("gpu_power_mean", "GPU power mean", Unit.WATTS, Better.NEITHER,
            "mean of the power of all GPUs together, inside the rate window");
    public static final MemoryMetrics MEMORY_TOTAL = MemoryMetrics.of("total", "Memory", "the device's total");
    public static final Metric MEMORY_PEAK_TOTAL = MEMORY_TOTAL.peak();
    public static final Metric MEMORY_MEAN_TOTAL = MEMORY_TOTAL.mean();

    public static final Metric MODEL_MEMORY_PEAK = bytes("memory_peak_model", "Weights + KV cache peak",
            "largest sample of the bytes of weights and KV cache together inside the window");

    public static final Metric REPORTED_MEMORY_PEAK = bytes("reported_memory_peak", "Reported memory peak",
            "largest GPU memory, or memory shared by GPU and CPU, that the target reported inside the window; of a started server the largest reading of its processes, else of an exporter's GPUs together");
    public static final Metric REPORTED_HOST_MEMORY_PEAK = bytes("reported_host_memory_peak",
            "Reported host memory peak",
            "largest host memory that the target reported inside the window; of a started server the largest reading of its processes");
    public static final MetricFamily SERVER_QUEUE = serverTime("queue", "Server queue", "queue time");
    public static final MetricFamily SERVER_PREFILL = serverTime("prefill", "Server prefill", "prefill time");
    public static final MetricFamily SERVER_DECODE = serverTime("decode", "Server decode", "decode time");
    public static final MetricFamily SERVER_TTFT = serverTime("ttft", "Server TTFT", "time to the first token");
    public static final MetricFamily SERVER_E2E = serverTime("e2e", "Server E2E", "latency of a request");
    public static final MetricFamily SERVER_INTER_TOKEN =
            serverTime("inter_token", "Server inter-token", "time from a token to the next");
    public static final Metric SERVER_RUNNING = count("server_running_mean", "Server running mean", Better.NEITHER,
            "mean of the server's running requests, over its readings inside the window");
    public static final Metric SERVER_WAITING = count("server_waiting_mean", "Server waiting mean", Better.LOWER,
            "mean of the server's waiting requests, over its readings inside the window");
    public static final Metric SERVER_KV_USE = fraction("server_kv_use_mean", "Server KV use mean", Better.NEITHER,
            "mean of the server's KV cache use, over its readings inside the window");
    public static final Metric SERVER_KV_PEAK = fraction("server_kv_use_peak", "Server KV use peak", Better.NEITHER,
            "largest of the server's KV cache use, over its readings inside the window");
    public static final Metric SERVER_PREEMPTIONS = count("server_preemptions", "Server preemptions", Better.LOWER,
            "increase of the server's counter of preemptions over the window");
    public static final Metric SERVER_ACCEPTANCE = fraction("server_acceptance", "Server acceptance", Better.HIGHER,
            "accepted / drafted tokens by the increase of the server's counters over the window");
    public static final Metric SERVER_ACCEPTANCE_LENGTH =
            new Metric("server_acceptance_length", "Server acceptance length", Unit.RATIO, Better.HIGHER,
                    "tokens a draft gives: 1 + accepted tokens / drafts");
    public static final Metric COMPUTING_RATE = new Metric("computing_rate", "Computing rate", Unit.PER_SECOND_TOKENS,
            Better.HIGHER, "sum of output tokens / sum of lastToken − prefillStart, over ok requests");

    private static final List<MetricFamily> FAMILIES = List.of(TTFT, SERVICE_TTFT, SEND_LATENESS, ENGINE_QUEUE,
            PREFILL_LATENCY, DECODE_LATENCY, E2E, SERVICE_E2E, TPOT, ITL, INTER_CHUNK, INTERACTIVITY, REPORTED_PREFILL,
            REPORTED_DECODE, STEP_TIME, DECISION_TIME, MOVE_TIME, SERVER_QUEUE, SERVER_PREFILL, SERVER_DECODE,
            SERVER_TTFT, SERVER_E2E, SERVER_INTER_TOKEN);
    private static final List<Metric> ALL = registry();

    private Metrics() {}

    /// Every metric, in the order in which tables show them.
    public static List<Metric> all() {
        return ALL;
    }

    /// Every quantity that has a distribution.
    public static List<MetricFamily> families() {
        return FAMILIES;
    }

    /// The metric with an id.
    public static Optional<Metric> find(String id) {
        return ALL.stream().filter(metric -> metric.id().equals(id)).findFirst();
    }

    /// One owner's memory.
    public static MemoryMetrics memory(MemoryOwner owner) {
        return MemoryMetrics.of(owner.id(), owner.label(), "the owner's bytes");
    }

    private static List<Metric> registry() {
        Stream<Metric> throughput =
                Stream.of(OFFERED_RATE, REQUEST_THROUGHPUT, OUTPUT_THROUGHPUT, TOTAL_THROUGHPUT, GOODPUT, OBJECTIVE_MET,
                        COST_PER_MILLION, WINDOW, RATE_WINDOW, OUTPUT_TOKENS, PROMPT_TOKENS, REQUESTS_OK,
                        REQUESTS_FAILED, REQUESTS_TIMED_OUT, REQUESTS_CANCELLED, REQUESTS_GAVE_UP, REQUESTS_REFUSED);
        Stream<Metric> distributions = FAMILIES.stream().flatMap(family -> family.metrics().stream());
        Stream<Metric> shares = Stream.of(QUEUE_SHARE, PREFILL_SHARE, DECODE_SHARE, COMPUTING_RATE, FAIRNESS,
                BATCH_EFFICIENCY, BATCH_OCCUPANCY, LANE_UTILISATION, NON_KERNEL_SHARE, KV_USE_MEAN, KV_USE_PEAK,
                PREFIX_HIT_RATE, REPEATED_PROMPTS, PREEMPTIONS, RECOMPUTED_TOKENS, MOVES, MOVED_BYTES,
                DEVICE_UTILISATION, ENERGY_PER_TOKEN, GPU_POWER);
        Stream<Metric> memory = Stream.concat(MEMORY_TOTAL.all().stream(),
                Stream.of(MODEL_MEMORY_PEAK, REPORTED_MEMORY_PEAK, REPORTED_HOST_MEMORY_PEAK));
        Stream<Metric> owners = Arrays.stream(MemoryOwner.values()).flatMap(owner -> memory(owner).all().stream());
        Stream<Metric> server = Stream.of(SERVER_RUNNING, SERVER_WAITING, SERVER_KV_USE, SERVER_KV_PEAK,
                SERVER_PREEMPTIONS, SERVER_ACCEPTANCE, SERVER_ACCEPTANCE_LENGTH);
        return Stream.of(throughput, distributions, shares, server, memory, owners).flatMap(metrics -> metrics)
                .toList();
    }

    private static MetricFamily latency(String id, String label, String definition) {
        return new MetricFamily(id, label, Unit.NANOSECONDS, Better.LOWER, definition);
    }

    private static MetricFamily serverTime(String id, String label, String what) {
        return new MetricFamily("server_" + id, label, Unit.NANOSECONDS, Better.LOWER,
                "the server's " + what + ", by the increase of its histogram over the window");
    }

    private static Metric count(String id, String label, Better better, String definition) {
        return new Metric(id, label, Unit.COUNT, better, definition);
    }

    private static Metric fraction(String id, String label, Better better, String definition) {
        return new Metric(id, label, Unit.FRACTION, better, definition);
    }

    private static Metric bytes(String id, String label, String definition) {
        return new Metric(id, label, Unit.BYTES, Better.LOWER, definition);
    }
}
