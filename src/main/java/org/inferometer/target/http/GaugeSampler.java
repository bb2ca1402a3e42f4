package org.inferometer.target.http;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.RunEvent.ServerQuantity;
import org.inferometer.target.TargetListener;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.units.Clock;
import org.inferometer.units.LetterCase;
import org.inferometer.units.ThreadEnd;

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
    /// Every series that is read.
    static final Set<String> NAMES =
            Stream.concat(ServerQuantity.series().stream(), MORE.stream()).collect(Collectors.toUnmodifiableSet());
    /// Ends of series that only rise: an unchanged one tells nothing.
    private static final List<String> RISING = List.of("_total", "_sum", "_count");
    private static final int MOST_MISSES = 3;
    private static final long LEAST_MILLIS = 10;

    private final Source source;
    private final ControlClient client;
    private final long everyNanos;
    private final Clock clock;
    private final TargetListener events;
    private final DistinctMessages messages;
    private final Thread thread = new Thread(this::sampleAll, "http-gauges");
    private final Map<String, Double> told = new HashMap<>(); // of the thread
    private volatile boolean closing;

    /// Where gauges are read.
    ///
    /// @param withKey whether they are on the server of the key
    record Source(URI address, boolean withKey) {
        /// The known gauges; empty if there are none.
        Map<String, Double> read(ControlClient client) throws IOException, InterruptedException {
            ControlClient.Reply reply = client.get(address, withKey);
            return reply.status() != 200 || LetterCase.lower(reply.contentType()).contains("json") ? Map.of()
                    : PrometheusText.read(new String(reply.body(), StandardCharsets.UTF_8), NAMES);
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
            messages.report("No known gauges at " + source.address()
                    + ". Give their address with metrics, or set metrics=off.");
        }
    }

    private static boolean isRising(String name) {
        int replica = name.indexOf('{');
        return RISING.stream().anyMatch((replica < 0 ? name : name.substring(0, replica))::endsWith);
    }

    private boolean sampled() {
        try {
            Map<String, Double> readings = source.read(client);
            long nanos = clock.nanos();
            if (!closing) {
                readings.forEach((name, value) -> {
                    if (!value.equals(told.put(name, value)) || !isRising(name)) {
                        events.gauge(nanos, client.withoutKey(name), value);
                    }
                });
            }
            return !readings.isEmpty();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            // Only close interrupts this thread.
            closing = true;
            return true;
        }
    }
}
