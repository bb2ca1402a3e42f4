package org.inferometer.target.http;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.TargetListener;
import org.inferometer.units.Clock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.jspecify.annotations.Nullable;

/// Measures the limit of the HTTP target: chunks per second received and recorded from an echo server on loopback.
///
/// Client and server share this machine, so the result is a lower bound.
public final class HttpCeiling {
    private static final String OPTIONS = "http:metrics=off,prompt=tokens,url=";

    private final Clock clock;

    /// @param clock for time stamps
    public HttpCeiling(Clock clock) {
        this.clock = clock;
    }

    /// The load of a measurement.
    ///
    /// @param streams concurrent streams
    /// @param requests total number, at least as many as streams
    /// @param tokens of each answer, one per chunk
    public record StreamLoad(int streams, int requests, int tokens) {}

    /// The result of a measurement.
    ///
    /// @param chunksPerSecond received and recorded, from the first request to the last end
    /// @param streamsAtOnce maximum concurrent streams
    /// @param lostChunks requested and not recorded
    /// @param failedRequests requests that failed
    /// @param firstFault reason of the first failure; empty without any
    /// @param seconds from the first request to the last end
    public record Throughput(double chunksPerSecond, int streamsAtOnce, long lostChunks, int failedRequests,
            String firstFault, double seconds) {}

    /// Starts echo servers in this process or in another.
    public interface EchoServers {
        /// Starts a server.
        ///
        /// @throws TargetException if it cannot start
        RunningServer start() throws TargetException;

        /// A running server.
        interface RunningServer extends AutoCloseable {
            /// Its base address.
            String url();

            @Override
            void close();
        }
    }

    /// Servers in this process that send as fast as the client reads, or one chunk per stream and turn.
    ///
    /// @param turnNanos 0 for no pause
    public static EchoServers inThisProcess(long turnNanos) {
        return () -> {
            EchoServer server = EchoServer.start(turnNanos);
            return new EchoServers.RunningServer() {
                @Override
                public String url() {
                    return server.url();
                }

                @Override
                public void close() {
                    server.close();
                }
            };
        };
    }

    /// The HTTP target for a server.
    ///
    /// @throws TargetException if it cannot be reached
    public static Target open(EchoServers.RunningServer server, TargetSetup setup) throws TargetException {
        try {
            return new HttpTargetKind(name -> Optional.empty()).configure(Selection.parse(OPTIONS + server.url()))
                    .open(setup);
        } catch (OptionException e) {
            throw new IllegalStateException("The options of the echo server are invalid: " + server.url(), e);
        }
    }

    /// Runs a closed loop on the calling thread.
    ///
    /// @param timeoutSeconds of the whole measurement
    /// @throws TargetException if no server starts or the measurement times out
    public Throughput measure(EchoServers servers, StreamLoad load, int timeoutSeconds) throws TargetException {
        ArrivalRecorder recorder = new ArrivalRecorder(load);
        TargetSetup setup = new TargetSetup(clock, recorder, recorder, 0);
        try (EchoServers.RunningServer server = servers.start(); Target target = open(server, setup)) {
            long startNanos = clock.nanos();
            recorder.begin(target);
            if (!recorder.allEnded.await(timeoutSeconds, TimeUnit.SECONDS)) {
                throw new TargetException("The HTTP target did not complete " + load.requests()
                        + " streams of the echo server within " + timeoutSeconds + " s.");
            }
            return recorder.reached(startNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("The measurement was interrupted.", e);
        }
    }

    /// Records every instant, like a recorder, and sends the next request after each end.
    private static final class ArrivalRecorder implements RequestListener, TargetListener {
        private final StreamLoad load;
        private final long[][] instants;
        private final int[] arrived;
        private final CountDownLatch allEnded;
        private final AtomicInteger sent = new AtomicInteger();
        private volatile @Nullable Target target;
        private int streaming;
        private int mostStreaming;
        private int failed;
        private String firstFault = "";
        private long endNanos;

        private ArrivalRecorder(StreamLoad load) {
            this.load = load;
            this.instants = new long[load.requests()][load.tokens()];
            this.arrived = new int[load.requests()];
            this.allEnded = new CountDownLatch(load.requests());
        }

        private void begin(Target driven) {
            target = driven;
            for (int i = 0; i < load.streams(); i++) {
                sendNext();
            }
        }

        private void sendNext() {
            Target driven = target;
            int next = sent.getAndIncrement();
            if (driven != null && next < load.requests()) {
                driven.send(new Request(new RequestId(next), new int[]{1}, load.tokens(), new Arrival.WhenFree(0),
                        Sampling.GREEDY));
            }
        }

        /// Called after all requests have ended.
        private Throughput reached(long startNanos) {
            long kept = 0;
            for (int count : arrived) {
                kept += count;
            }
            double seconds = (endNanos - startNanos) / 1e9;
            return new Throughput(kept / seconds, mostStreaming, (long) load.requests() * load.tokens() - kept, failed,
                    firstFault, seconds);
        }

        @Override
        public void admitted(RequestId request, long nanos) {}

        @Override
        public void prefillStarted(RequestId request, long nanos) {}

        @Override
        public void tokens(RequestId request, long nanos, int[] tokens) {
            int index = request.index();
            if (arrived[index] == 0) {
                streaming++;
                mostStreaming = Math.max(mostStreaming, streaming);
            }
            for (int i = 0; i < tokens.length && arrived[index] < instants[index].length; i++) {
                instants[index][arrived[index]++] = nanos;
            }
        }

        @Override
        public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
            streaming -= arrived[request.index()] > 0 ? 1 : 0;
            if (status != RequestStatus.OK) {
                failed++;
                firstFault = firstFault.isEmpty() ? reason : firstFault;
            }
            endNanos = nanos;
            sendNext();
            allEnded.countDown();
        }

        @Override
        public void gauge(long nanos, String name, double value) {}

        @Override
        public void memoryPeak(long nanos, boolean ofHost, double bytes) {}

        @Override
        public void message(long nanos, String sentence) {}
    }
}
