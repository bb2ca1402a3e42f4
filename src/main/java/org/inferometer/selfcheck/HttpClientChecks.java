package org.inferometer.selfcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.record.HarnessCeiling;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.TargetListener;
import org.inferometer.target.http.HttpCeiling;
import org.inferometer.target.http.HttpCeiling.StreamLoad;
import org.inferometer.target.http.HttpCeiling.Throughput;
import org.inferometer.units.Clock;

/// Measures the HTTP client against an echo server on loopback in this process.
public final class HttpClientChecks implements SelfCheck.BackendParts {
    private static final StreamLoad WARM_UP = new StreamLoad(16, 64, 256);
    private static final StreamLoad CHUNKS = new StreamLoad(64, 256, 1024);
    private static final StreamLoad STREAMS = new StreamLoad(2_000, 2_000, 20);
    private static final long STREAM_TURN_NANOS = 100_000_000L;
    private static final int PATIENCE_SECONDS = 60;
    private static final double LEAST_CHUNKS = 20_000;

    private final Clock clock;

    HttpClientChecks(Clock clock) {
        this.clock = clock;
    }

    /// As a part of the self-check.
    public static SelfCheck.CheckPart part(Clock clock) {
        return new SelfCheck.CheckPart(List.of("http"), new HttpClientChecks(clock));
    }

    @Override
    public List<SelfCheckResult> run(Consumer<String> begun) {
        begun.accept("HTTP client against an echo server");
        List<SelfCheckResult> results = new ArrayList<>();
        HttpCeiling ceiling = new HttpCeiling(clock);
        String chunkName = "streamed chunks recorded over HTTP";
        try {
            ceiling.measure(HttpCeiling.inThisProcess(0), WARM_UP, PATIENCE_SECONDS);
            Throughput chunks = ceiling.measure(HttpCeiling.inThisProcess(0), CHUNKS, PATIENCE_SECONDS);
            results.add(SelfCheckResult.atLeast(HarnessCeiling.HTTP, chunkName, chunks.chunksPerSecond(), "chunks/s",
                    LEAST_CHUNKS,
                    "Above half of this rate, runs measure the client. The echo server shares this machine."));
        } catch (TargetException e) {
            results.add(SelfCheckResult.notChecked(HarnessCeiling.HTTP, chunkName, "chunks/s",
                    String.valueOf(e.getMessage())));
        }
        String lostName = "chunks and requests lost of 2,000 streams at once";
        try {
            Throughput streams =
                    ceiling.measure(HttpCeiling.inThisProcess(STREAM_TURN_NANOS), STREAMS, PATIENCE_SECONDS);
            results.add(SelfCheckResult.atMost("http_streams_lost", lostName,
                    streams.lostChunks() + streams.failedRequests(), "", 0,
                    streams.streamsAtOnce() + " streams were open at once. " + streams.firstFault()));
        } catch (TargetException e) {
            results.add(
                    SelfCheckResult.notChecked("http_streams_lost", lostName, "lost", String.valueOf(e.getMessage())));
        }
        results.add(sendLateness());
        return List.copyOf(results);
    }

    private SelfCheckResult sendLateness() {
        String id = "http_send_lateness_p99";
        String name = "send lateness at 1,000 requests/s over HTTP, P99";
        try (HttpCeiling.EchoServers.RunningServer server = HttpCeiling.inThisProcess(0).start()) {
            return new HarnessChecks(clock).sendLateness(id, name,
                    requests -> HttpCeiling.open(server, new TargetSetup(clock, requests, new NoListener(), 0)));
        } catch (TargetException e) {
            return SelfCheckResult.notChecked(id, name, "µs", String.valueOf(e.getMessage()));
        }
    }

    /// Ignores gauges and memory: an echo server reports none.
    private static final class NoListener implements TargetListener {
        @Override
        public void gauge(long nanos, String name, double value) {
            // It has no gauges.
        }

        @Override
        public void memoryPeak(long nanos, boolean ofHost, double bytes) {
            // It reports no memory.
        }

        @Override
        public void message(long nanos, String sentence) {
            // A fault ends a request, which is seen there.
        }
    }
}
