package org.inferometer.target.http;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetListener;
import org.inferometer.target.TargetSetup;
import org.inferometer.units.Clock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.jspecify.annotations.Nullable;

/// Measures what the HTTP target itself reaches: against an echo server on loopback, how many chunks a second are stamped and kept.
///
/// Client and server share this machine, so the figure is a lower bound of the client's own ceiling.
public final class HttpCeiling {
    private static final String OPTIONS = "http:metrics=off,prompt=tokens,url=";

    private final Clock clock;

    /// @param clock that stamps
    public HttpCeiling(Clock clock) {
        this.clock = clock;
    }

    /// How much is asked.
    ///
    /// @param streams at once
    /// @param requests in all, at least as many as streams
    /// @param tokens of each answer, a chunk each
    public record Load(int streams, int requests, int tokens) {}

    /// What was reached.
    ///
    /// @param chunksPerSecond stamped and kept, from the first sending to the last end
    /// @param streamsAtOnce the most requests that had begun to answer and had not ended
    /// @param lostChunks asked for and not kept
    /// @param failedRequests that did not end well
    /// @param firstFault what the first of those said; empty without any
    /// @param seconds from the first sending to the last end
    public record Reached(double chunksPerSecond, int streamsAtOnce, long lostChunks, int failedRequests,
            String firstFault, double seconds) {}

    /// A server to measure against: one of this process, or a process of its own.
    public interface EchoServers {
        /// Starts one.
        ///
        /// @throws TargetException when it cannot
        Running start() throws TargetException;

        /// One that runs until it is closed.
        interface Running extends AutoCloseable {
            /// Its base address.
            String url();

            @Override
            void close();
        }
    }

    /// Servers in this process that send as fast as the client takes, or one chunk a stream a turn.
    ///
    /// @param turnNanos 0 for as fast as it can
    public static EchoServers inThisProcess(long turnNanos) {
        return () -> {
            EchoServer server = EchoServer.start(turnNanos);
            return new EchoServers.Running() {
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

    /// The HTTP target as it is measured here, on a server of this kind.
    ///
    /// @throws TargetException when it cannot be reached
    public static Target open(EchoServers.Running server, TargetSetup setup) throws TargetException {
        return new HttpTargetKind(name -> Optional.empty()).open(Selection.parse(OPTIONS + server.url()), setup);
    }

    /// Drives a server in a closed loop on the calling thread.
    ///
    /// @param patienceSeconds after which it is given up
    /// @throws TargetException when no server can be had, or it is not done in time
    public Reached measure(EchoServers servers, Load load, int patienceSeconds) throws TargetException {
        Keeper keeper = new Keeper(load);
        TargetSetup setup = new TargetSetup(clock, keeper, keeper, 0);
        try (EchoServers.Running server = servers.start(); Target target = open(server, setup)) {
            long startNanos = clock.nanos();
            keeper.begin(target);
            if (!keeper.allEnded.await(patienceSeconds, TimeUnit.SECONDS)) {
                throw new TargetException("The HTTP target did not finish " + load.requests()
                        + " streams of the echo server within " + patienceSeconds + " s.");
            }
            return keeper.reached(startNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("The measurement was interrupted.", e);
        }
    }

    /// Keeps every instant, as a recorder does, and sends the next request when one ended.
    private static final class Keeper implements RequestListener, TargetListener {
        private final Load load;
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

        private Keeper(Load load) {
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

        /// Read once all have ended.
        private Reached reached(long startNanos) {
            long kept = 0;
            for (int count : arrived) {
                kept += count;
            }
            double seconds = (endNanos - startNanos) / 1e9;
            return new Reached(kept / seconds, mostStreaming, (long) load.requests() * load.tokens() - kept, failed,
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
        public void said(long nanos, String sentence) {}
    }
}
