package org.inferometer.target.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.options.Selection;
import org.inferometer.target.Target;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.units.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class GaugesTest {
    @Test
    void aServersGaugesAreToldWhileItRuns() throws Exception {
        RecordingListener account = new RecordingListener(0);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/metrics",
                (asked, wire) -> wire.reply(200, "text/plain; version=0.0.4",
                        "vllm:num_requests_running{engine=\"0\",model_name=\"tiny\"} 3.0\nprocess_x 1\n"));
                Target target = Servers.open(server, account, "")) {
            assertThat(account.firstGauge.await(10, SECONDS)).isTrue();
            assertThat(target.description()).startsWith("tiny at ");
        }
        assertThat(account.gauges).isEqualTo(Map.of("vllm:num_requests_running", 3.0));
        assertThat(account.said).isEmpty();
    }

    @Test
    void aServerWithoutGaugesIsSaidOnceAndAskedNoMore() throws Exception {
        CountDownLatch asked = new CountDownLatch(3);
        RecordingListener account = new RecordingListener(0);
        try (ScriptedServer server =
                ScriptedServer.start((request, wire) -> wire.hangUp()).get("/metrics", (request, wire) -> {
                    asked.countDown();
                    wire.json(404, "{}");
                }); Target target = Servers.open(server, account, "")) {
            assertThat(asked.await(10, SECONDS)).isTrue();
            for (long end = System.nanoTime() + SECONDS.toNanos(10); account.said.isEmpty()
                    && System.nanoTime() < end;) {
                Thread.onSpinWait();
            }
            assertThat(account.said).containsExactly("No known gauges at " + server.url()
                    + "/metrics. Give their address with metrics, or set metrics=off.");
            assertThat(target.description()).isNotEmpty();
        }
        assertThat(account.gauges).isEmpty();
    }

    @Test
    void trtllmServeIsAskedWhereReadingTakesNothingAway() throws Exception {
        RecordingListener account = new RecordingListener(0);
        CountDownLatch drained = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp())
                .get("/v1/models",
                        (asked, wire) -> wire.json(200, "{\"data\":[{\"id\":\"t\",\"owned_by\":\"tensorrt_llm\"}]}"))
                .get("/metrics", (asked, wire) -> drained.countDown()).get("/prometheus/metrics",
                        (asked, wire) -> wire.reply(200, "text/plain", "trtllm_kv_cache_utilization 0.5\n"));
                Target target = Servers.open(server, account, "")) {
            assertThat(account.firstGauge.await(10, SECONDS)).isTrue();
            assertThat(target.description()).startsWith("t at ");
        }
        assertThat(account.gauges).isEqualTo(Map.of("trtllm_kv_cache_utilization", 0.5));
        assertThat(drained.getCount()).isEqualTo(1);
    }

    @Test
    void histogramsAreToldByWhatTheyCountedSinceTheLastReading() throws Exception {
        String page = """
                vllm:num_requests_running{engine="0"} 1
                vllm:e2e_request_latency_seconds_bucket{engine="0",le="0.3"} %d.0
                vllm:e2e_request_latency_seconds_bucket{engine="0",le="+Inf"} %d.0
                """;
        Queue<String> pages = new ConcurrentLinkedQueue<>(List.of(page.formatted(5, 6), page.formatted(5, 6),
                page.formatted(5, 8), page.formatted(1, 2), page.formatted(2, 3)));
        CountDownLatch over = new CountDownLatch(1);
        RecordingListener account = new RecordingListener(0);
        try (ScriptedServer server =
                ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/metrics", (asked, wire) -> {
                    String next = pages.poll();
                    if (next == null) {
                        over.countDown();
                    }
                    wire.reply(200, "text/plain; version=0.0.4", next == null ? "" : next);
                }); Target target = Servers.open(server, account, "")) {
            assertThat(over.await(10, SECONDS)).isTrue();
            assertThat(target.description()).startsWith("tiny at ");
        }
        assertThat(account.histograms).containsExactly("vllm:e2e_request_latency_seconds all {0.3=5, Infinity=1}",
                "vllm:e2e_request_latency_seconds more {Infinity=2}",
                "vllm:e2e_request_latency_seconds all {0.3=1, Infinity=1}",
                "vllm:e2e_request_latency_seconds more {0.3=1}");
    }

    @Test
    void anExporterOfGpusIsReadBesideTheServerWithoutItsKey() throws Exception {
        RecordingListener account = new RecordingListener(0);
        Set<String> keys = ConcurrentHashMap.newKeySet();
        try (ScriptedServer server =
                ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/dcgm", (asked, wire) -> {
                    keys.add(asked.headers().toString().contains("k-secret-123456") ? "key" : "none");
                    wire.reply(200, "text/plain", "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"a\"} 80\n"
                            + "DCGM_FI_DEV_POWER_USAGE{gpu=\"1\",UUID=\"b\"} 90\n");
                });
                Target target = Servers.open(server.url(), account,
                        "metrics=off,api_key_env=K,gpus=1+5+1,gpu_metrics=" + server.url() + "/dcgm",
                        Map.of("K", "k-secret-123456"))) {
            assertThat(account.firstGauge.await(10, SECONDS)).isTrue();
            assertThat(target.description()).startsWith("tiny at ");
            assertThat(account.said).contains(
                    "Power and energy count GPU 1 of " + server.url() + "/dcgm. It has no GPU 5. Correct gpus.");
        }
        assertThat(account.gauges).isEqualTo(Map.of("gpu:power_watts{gpu=1}", 90.0));
        assertThat(keys).containsExactly("none");
    }

    /// By a clock that goes on a millisecond with each look at it.
    @Test
    void aPageOfGpusThatRepeatsIsToldOnce() throws Exception {
        AtomicLong nanos = new AtomicLong();
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return nanos.addAndGet(1_000_000);
            }

            @Override
            public Instant wall() {
                return Instant.EPOCH;
            }
        };
        RecordingListener account = new RecordingListener(0);
        AtomicInteger watts = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(9);
        HttpSettings settings = HttpSettings.read(Selection.parse("http"), name -> Optional.empty());
        try (ScriptedServer server =
                ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/dcgm", (asked, wire) -> {
                    over.countDown();
                    wire.reply(200, "text/plain",
                            "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} " + watts.incrementAndGet() / 4 + "\n");
                });
                GaugeSampler sampler = new GaugeSampler(
                        new GaugeSampler.Source(URI.create(server.url() + "/dcgm"), false, "gpu_metrics",
                                new GpuPage(Set.of())),
                        new ControlClient(TlsTrust.of(settings.options()), settings, Duration.ofSeconds(5)), 20, clock,
                        account, new DistinctMessages(clock, account))) {
            sampler.start();
            assertThat(over.await(10, SECONDS)).isTrue();
        }
        assertThat(account.readings.subList(0, 2)).containsExactly(0.0, 1.0);
    }

    @Test
    void closingEndsAReadThatHangs() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedServer server =
                ScriptedServer.start((request, wire) -> wire.hangUp()).get("/metrics", (request, wire) -> {
                    asked.countDown();
                    over.await();
                })) {
            RecordingListener account = new RecordingListener(0);
            Target target = Servers.open(server, account, "");
            assertThat(asked.await(10, SECONDS)).isTrue();
            long start = System.nanoTime();
            target.close();
            assertThat(System.nanoTime() - start).isLessThan(SECONDS.toNanos(4));
            over.countDown();
            assertThat(account.said).isEmpty();
        }
    }
}
