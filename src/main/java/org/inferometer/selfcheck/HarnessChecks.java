package org.inferometer.selfcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.load.LiveCounters;
import org.inferometer.load.LoadGenerator;
import org.inferometer.load.RequestRecorder;
import org.inferometer.load.RunPhase;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.target.NullTarget;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.ThreadSlice;
import org.inferometer.units.Clock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// Measures the clock, the wake-up of threads and the load generator without an engine.
public final class HarnessChecks {
    private static final int CLOCK_READS = 200_000;
    private static final int WAKE_UPS = 500;
    private static final int CEILING_REQUESTS = 100_000;
    private static final int PACED_REQUESTS = 2_000;
    private static final int NOISE_ROUNDS = 40;
    private static final int NOISE_WORK = 4_000_000;

    private final Clock clock;

    /// Opens a target.
    public interface TargetFactory {
        /// The target, which the caller closes.
        ///
        /// @throws TargetException if it cannot be reached
        Target open(RequestListener requests) throws TargetException;
    }

    /// @param clock the clock that runs are measured with
    public HarnessChecks(Clock clock) {
        this.clock = clock;
    }

    SelfCheckResult timerGrain() {
        double[] steps = new double[CLOCK_READS];
        int n = 0;
        long last = clock.nanos();
        while (n < CLOCK_READS) {
            long now = clock.nanos();
            if (now != last) {
                steps[n++] = now - last;
                last = now;
            }
        }
        return SelfCheckResult.atMost("timer_grain", "timer grain, median", Distribution.of(steps).percentile(50), "ns",
                1_000, "The clock does not resolve shorter intervals.");
    }

    SelfCheckResult wakeUpLateness() {
        ThreadSlice.shorten();
        double[] late = new double[WAKE_UPS];
        for (int i = 0; i < WAKE_UPS; i++) {
            long deadline = clock.nanos() + 1_000_000;
            for (long left = deadline - clock.nanos(); left > 0; left = deadline - clock.nanos()) {
                LockSupport.parkNanos(this, left);
            }
            late[i] = (clock.nanos() - deadline) / 1e3;
        }
        return SelfCheckResult.atMost("wake_up_lateness_p99", "wake-up lateness, P99",
                Distribution.of(late).percentile(99), "µs", 1_000, "Waiting threads wake up this late.");
    }

    SelfCheckResult noise() {
        double[] millis = new double[NOISE_ROUNDS];
        double sink = 0;
        for (int round = 0; round < NOISE_ROUNDS; round++) {
            long start = clock.nanos();
            double x = 1;
            for (int i = 0; i < NOISE_WORK; i++) {
                x = x * 1.0000001 + 1e-9;
            }
            sink += x;
            millis[round] = (clock.nanos() - start) / 1e6;
        }
        Distribution rounds = Distribution.of(java.util.Arrays.copyOfRange(millis, NOISE_ROUNDS / 4, NOISE_ROUNDS));
        double spread = (rounds.percentile(95) - rounds.percentile(50)) / rounds.percentile(50) * 100;
        String meaning =
                "Equal work takes this much longer at P95 than at the median; smaller differences need more runs.";
        return SelfCheckResult.atMost("noise_p95", "noise of equal work, P95 over median",
                Double.isNaN(sink) ? 0 : spread, "%", 10, meaning);
    }

    SelfCheckResult telemetryShare() {
        return new TelemetryCheck(clock, new GpuAccess()).share();
    }

    /// Requests a second that the load generator sends to the null target. Takes about a second on the calling thread.
    public SelfCheckResult generatorCeiling() {
        List<RequestOutcome> ended = withoutEngine(new ArrivalProcess.ClosedLoop(64), CEILING_REQUESTS, 0);
        long first = ended.stream().mapToLong(RequestOutcome::sentNanos).min().orElseThrow();
        long last = ended.stream().mapToLong(RequestOutcome::endNanos).max().orElseThrow();
        return SelfCheckResult.atLeast("generator_ceiling", "load generator against the null target",
                ended.size() / ((last - first) / 1e9), "requests/s", 20_000,
                "Runs that come near this rate measure the generator, not the engine.");
    }

    SelfCheckResult sendLateness() {
        return lateness("send_lateness_p99", "send lateness at 1,000 requests/s, P99",
                withoutEngine(new ArrivalProcess.Poisson(1_000), PACED_REQUESTS, 1_000_000),
                "Requests are sent this late.");
    }

    /// Send lateness at 1,000 requests/s while a client reads answers; not checked if a request fails. Runs on the
    /// calling thread for two seconds.
    ///
    /// @param id of the result
    /// @param name of the result, for people
    public SelfCheckResult sendLateness(String id, String name, TargetFactory opening) {
        try {
            List<RequestOutcome> ended = drive(new ArrivalProcess.Poisson(1_000), PACED_REQUESTS, 1_000_000, opening);
            Optional<RequestOutcome> failed = ended.stream().filter(request -> !request.ok()).findFirst();
            return failed.isPresent()
                    ? SelfCheckResult.notChecked(id, name, "µs", "A request failed: " + failed.get().reason())
                    : lateness(id, name, ended, "Requests are sent this late while the client reads answers.");
        } catch (TargetException e) {
            return SelfCheckResult.notChecked(id, name, "µs", String.valueOf(e.getMessage()));
        }
    }

    private static SelfCheckResult lateness(String id, String name, List<RequestOutcome> ended, String meaning) {
        double[] late =
                ended.stream().mapToDouble(request -> (request.sentNanos() - request.intendedNanos()) / 1e3).toArray();
        return SelfCheckResult.atMost(id, name, Distribution.of(late).percentile(99), "µs", 1_000, meaning);
    }

    private List<RequestOutcome> withoutEngine(ArrivalProcess arrivals, int count, long gapNanos) {
        try {
            return drive(arrivals, count, gapNanos, requests -> NullTarget.start(clock, requests));
        } catch (TargetException e) {
            throw new IllegalStateException("The null target failed.", e);
        }
    }

    /// Sends requests of one token to a target; the ended requests.
    private List<RequestOutcome> drive(ArrivalProcess arrivals, int count, long gapNanos, TargetFactory opening)
            throws TargetException {
        List<Request> requests = new ArrayList<>(count);
        int[] prompt = {1};
        for (int i = 0; i < count; i++) {
            Arrival arrival = gapNanos == 0 ? new Arrival.WhenFree(0) : new Arrival.At(i * gapNanos);
            requests.add(new Request(new RequestId(i), prompt, 1, arrival, Sampling.GREEDY));
        }
        RunPhase phase = new RunPhase(Phase.MEASURE, requests, arrivals);
        List<RequestOutcome> ended = new ArrayList<>(count);
        LoadGenerator generator = new LoadGenerator(clock, new AtomicBoolean());
        RequestRecorder recorder = new RequestRecorder(phase, new LiveCounters(), outcome -> {
            ended.add(outcome);
            generator.requestEnded(outcome.id(), outcome.endNanos(), outcome.status());
        });
        try (Target target = opening.open(recorder)) {
            generator.run(phase, target, recorder);
        }
        return ended;
    }
}
