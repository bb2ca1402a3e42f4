package org.inferometer.target.http;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.RunEvent.GpuQuantity;
import org.inferometer.record.RunEvent.ServerQuantity;
import org.inferometer.target.TargetListener;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.units.Clock;
import org.inferometer.units.LetterCase;
import org.inferometer.units.ThreadEnd;
import org.jspecify.annotations.Nullable;

/// Reads the server's gauges periodically on a thread of its own and reports them with the run's clock.
///
/// A server without gauges is reported once and not read again. Closing ends a running read.
final class GaugeSampler implements AutoCloseable {
    /// Further series of vLLM, SGLang, trtllm-serve and llama-server on queues, KV cache and throughput.
    private static final Set<String> MORE = Set.of("vllm:prefix_cache_queries_total", "vllm:prefix_cache_hits_total",
            "vllm:prompt_tokens_total", "vllm:generation_tokens_total", "sglang:gen_throughput",
            "sglang:cached_tokens_total", "sglang:cache_hit_rate", "sglang:num_used_tokens",
            "sglang:num_retracted_reqs", "sglang:prompt_tokens_total", "sglang:generation_tokens_total",
            "sglang:spec_accept_length", "trtllm_kv_cache_hit_rate", "trtllm_kv_cache_max_blocks",
            "trtllm_kv_cache_free_blocks", "trtllm_kv_cache_used_blocks", "trtllm_num_context_requests",
            "trtllm_num_generation_requests", "trtllm_num_paused_requests", "trtllm_num_scheduled_requests",
            "trtllm_gpu_memory_usage_bytes", "trtllm_prompt_tokens_total", "trtllm_generation_tokens_total",
            "llamacpp:kv_cache_tokens", "llamacpp:prompt_tokens_total", "llamacpp:tokens_predicted_total");
    /// Every gauge and counter of a server that is read.
    private static final Set<String> NAMES =
            Stream.concat(ServerQuantity.series().stream(), MORE.stream()).collect(Collectors.toUnmodifiableSet());
    private static final Set<String> HISTOGRAMS = ServerQuantity.histograms();
    /// Ends of series that only rise: an unchanged one tells nothing.
    private static final List<String> RISING = List.of("_total", "_sum", "_count", GpuQuantity.ENERGY.gauge());
    private static final int MOST_MISSES = 3;
    private static final long LEAST_MILLIS = 10;
    private static final long REPEATED_NANOS = 1_000_000_000;

    private final Source source;
    private final ControlClient client;
    private final long everyNanos;
    private final Clock clock;
    private final TargetListener events;
    private final DistinctMessages messages;
    private final Thread thread = new Thread(this::sampleAll, "http-gauges");
    private final Map<String, Double> told = new HashMap<>(); // of the thread
    private final Map<String, SortedMap<Double, Long>> toldCounts = new HashMap<>();
    private long toldNanos;
    private volatile boolean closing;

    /// Where gauges are read.
    ///
    /// @param withKey whether they are on the server of the key
    /// @param option the option with the address
    /// @param gpus reads the page of an exporter of GPUs; absent for the server's own page
    record Source(URI address, boolean withKey, String option, @Nullable GpuPage gpus) {
        /// What is known of the page.
        MetricsPage read(ControlClient client) throws IOException, InterruptedException {
            ControlClient.Reply reply = client.get(address, withKey);
            if (reply.status() != 200 || LetterCase.lower(reply.contentType()).contains("json")) {
                return MetricsPage.EMPTY;
            }
            String text = new String(reply.body(), StandardCharsets.UTF_8);
            return gpus == null ? MetricsPage.of(text, NAMES, HISTOGRAMS) : gpus.read(text);
        }

        /// Which GPUs are counted, after the first page with any; empty for a server's own page.
        String counted() {
            return gpus == null ? "" : "Power and energy count GPU " + gpus.seen() + " of " + address + "."
                    + (gpus.missing().isEmpty() ? "" : " It has no GPU " + gpus.missing() + ". Correct gpus.");
        }
    }

    /// @param client closed with the sampler
    GaugeSampler(Source source, ControlClient client, long everyMillis, Clock clock, TargetListener events,
            DistinctMessages messages) {
        this.source = source;
        this.client = client;
        this.everyNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_MILLIS, everyMillis));
        this.clock = clock;
        this.events = events;
        this.messages = messages;
        this.thread.setDaemon(true);
    }

    /// Starts the thread.
    void start() {
        thread.start();
    }

    /// Stops the thread; nothing is reported afterwards.
    @Override
    public void close() {
        closing = true;
        client.close();
        thread.interrupt();
        ThreadEnd.await(thread);
    }

    private void sampleAll() {
        int misses = 0;
        long next = clock.nanos();
        while (!closing) {
            misses = sampled() ? 0 : misses + 1;
            if (misses >= MOST_MISSES) {
                break;
            }
            next = Math.max(next + everyNanos, clock.nanos());
            for (long left = next - clock.nanos(); left > 0 && !closing; left = next - clock.nanos()) {
                LockSupport.parkNanos(this, left);
            }
        }
        if (!closing) {
            messages.report("No known gauges at " + source.address() + ". Give their address with " + source.option()
                    + (source.gpus() == null ? ", or set metrics=off." : ", and existing GPUs with gpus."));
        }
    }

    private static boolean isRising(String name) {
        int replica = name.indexOf('{');
        return RISING.stream().anyMatch((replica < 0 ? name : name.substring(0, replica))::endsWith);
    }

    private void tell(long nanos, String name, SortedMap<Double, Long> counts) {
        SortedMap<Double, Long> before = toldCounts.getOrDefault(name, new TreeMap<>());
        toldCounts.put(name, counts);
        boolean first = !before.keySet().equals(counts.keySet()) || counts.entrySet().stream()
                .anyMatch(each -> each.getValue() < before.getOrDefault(each.getKey(), 0L));
        SortedMap<Double, Long> added = new TreeMap<>(counts);
        if (!first) {
            added.replaceAll((bound, count) -> count - before.getOrDefault(bound, 0L));
            added.values().removeIf(count -> count == 0);
        }
        if (!added.isEmpty()) {
            events.histogram(nanos, name, first, added);
        }
    }

    private boolean sampled() {
        try {
            MetricsPage page = source.read(client);
            long nanos = clock.nanos();
            // An exporter of GPUs repeats its page until it looks at them again.
            boolean repeated =
                    source.gpus() != null && page.gauges().equals(told) && nanos - toldNanos < REPEATED_NANOS;
            if (!closing && !page.gauges().isEmpty() && !repeated) {
                toldNanos = nanos;
                if (told.isEmpty() && !source.counted().isEmpty()) {
                    messages.report(source.counted());
                }
                page.gauges().forEach((name, value) -> {
                    if (!value.equals(told.put(name, value)) || !isRising(name)) {
                        events.gauge(nanos, client.withoutKey(name), value);
                    }
                });
                page.histograms().forEach((name, counts) -> tell(nanos, name, counts));
            }
            return !page.gauges().isEmpty();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            // Only close interrupts this thread.
            closing = true;
            return true;
        }
    }
}
