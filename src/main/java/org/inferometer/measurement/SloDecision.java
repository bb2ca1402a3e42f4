package org.inferometer.measurement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.record.SloResult;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.State;

/// Whether a load meets an SLO, by one-sided bounds of the share of its requests within the limits.
///
/// Requests of one queue share their fate. The bounds count as many requests as the latencies of the runs have independent values, and
/// fewer if the shares of the runs differ more than such requests would. The error of 5 % is divided by the number of loads of the subject:
/// it holds for all of them together, also where a search chose them.
public record SloDecision(ServiceObjective objective) {
    /// The probability of a wrong answer about all loads of a subject.
    static final double ERROR = 0.05;

    private static final int BATCHES = 20;
    private static final int LEAST_IN_BATCH = 5;
    private static final int LEAST_BATCHES = 4;
    private static final double LEAST_INDEPENDENT = 30;
    private static final double NOISE = 2;
    private static final double MOST_CORRELATION = 0.999;

    /// Whether a load meets the SLO, by its runs.
    ///
    /// A run that was not served as fast as asked serves nothing, and one that is INVALID for another reason than failed requests proves
    /// nothing.
    ///
    /// @param runs complete runs of the load, at least one
    /// @param loads loads of the subject that were measured: they share the error
    public SloResult result(List<RunRecord> runs, int loads) {
        SloAttainment attainment = new SloAttainment(objective);
        List<List<RequestOutcome>> requests =
                runs.stream().map(run -> attainment.judged(run.observations().requests())).toList();
        List<Double> shares = requests.stream().map(attainment::share).toList();
        long n = requests.stream().mapToInt(List::size).sum();
        double inflation = requests.stream().mapToDouble(this::dependence).max().orElse(1);
        SloResult counted = result(shares, n, inflation, loads);
        long overloaded = runs.stream().filter(SloDecision::overloaded).count();
        if (overloaded > 0) {
            boolean most = 2 * overloaded >= runs.size();
            return new SloResult(
                    most || counted.outcome() == SloResult.Outcome.NOT_SERVED ? SloResult.Outcome.NOT_SERVED
                            : SloResult.Outcome.CANNOT_TELL,
                    counted.lowerShare(), counted.upperShare(), counted.confidence(), n, 0, true);
        }
        boolean invalid = runs.stream().anyMatch(
                run -> broken(run).anyMatch(condition -> !condition.name().equals(RequestConditions.NO_FAILURES)));
        return invalid && counted.outcome() == SloResult.Outcome.SERVED ? new SloResult(SloResult.Outcome.CANNOT_TELL,
                counted.lowerShare(), counted.upperShare(), counted.confidence(), n, 0, false) : counted;
    }

    /// Whether a load meets the SLO, by the shares of its runs alone, as if requests were independent.
    ///
    /// @param n judged requests over all runs
    /// @param loads loads of the subject that were measured
    public SloResult result(List<Double> shares, long n, int loads) {
        return result(shares, n, 1, loads);
    }

    private SloResult result(List<Double> shares, long n, double dependence, int loads) {
        Moments moments = Moments.of(shares);
        double share = moments.mean();
        double binomial = share * (1 - share) * shares.size() / Math.max(1, n);
        double inflation = Math.max(dependence, binomial > 0 ? moments.variance() / binomial : 1);
        double error = ERROR / Math.max(1, loads);
        ShareBounds bounds =
                new ShareBounds(Math.max(0, (1 - share) * n / inflation), Math.max(1, n) / inflation, error);
        double goal = objective.share();
        SloResult.Outcome outcome = bounds.lowerShare() >= goal ? SloResult.Outcome.SERVED
                : bounds.upperShare() < goal ? SloResult.Outcome.NOT_SERVED
                : SloResult.Outcome.CANNOT_TELL;
        long toTell = outcome == SloResult.Outcome.CANNOT_TELL ? (long) Math.ceil(bounds.enough(goal) * inflation) : 0;
        return new SloResult(outcome, bounds.lowerShare(), bounds.upperShare(), 1 - error, n, toTell, false);
    }

    /// Requests per independent value: of each limited latency the variance of batch means × batch size / variance of the values (Law and
    /// Kelton, Simulation Modeling and Analysis, chapter 9), of logarithms by intended send time; the largest, at least 1.
    private double dependence(List<RequestOutcome> judged) {
        List<RequestOutcome> ordered = judged.stream().filter(request -> request.ok() && request.outputTokens() > 0)
                .sorted(Comparator.comparingLong(RequestOutcome::intendedNanos)).toList();
        SloAttainment attainment = new SloAttainment(objective);
        double largest = Math.max(1, dependence(ordered, request -> attainment.isMetBy(request) ? 1 : Math.E));
        if (objective.ttftNanos().isPresent()) {
            largest = Math.max(largest,
                    dependence(ordered, request -> (double) request.firstTokenNanos() - request.intendedNanos()));
        }
        if (objective.e2eNanos().isPresent()) {
            largest = Math.max(largest,
                    dependence(ordered, request -> (double) request.lastTokenNanos() - request.intendedNanos()));
        }
        if (objective.tpotNanos().isPresent()) {
            largest = Math.max(largest,
                    dependence(ordered, request -> SloAttainment.longestTpotNanos(request).orElse(1)));
        }
        // Too few to estimate the dependence from: the whole run is one value.
        return ordered.size() < LEAST_INDEPENDENT * largest && largest > NOISE ? Math.max(1, ordered.size()) : largest;
    }

    private static double dependence(List<RequestOutcome> ordered, ToDoubleFunction<RequestOutcome> latency) {
        int batches = Math.min(BATCHES, ordered.size() / LEAST_IN_BATCH);
        if (batches < LEAST_BATCHES) {
            return 1;
        }
        int size = ordered.size() / batches;
        double[] logs = ordered.stream().limit((long) size * batches)
                .mapToDouble(request -> Math.log(Math.max(1, latency.applyAsDouble(request)))).toArray();
        double[] means = new double[batches];
        for (int batch = 0; batch < batches; batch++) {
            means[batch] = Arrays.stream(logs, batch * size, (batch + 1) * size).average().orElse(0);
        }
        double all = variance(logs);
        if (all == 0) {
            return 1;
        }
        double mean = Arrays.stream(logs).average().orElse(0);
        double lagged = 0;
        for (int i = 1; i < logs.length; i++) {
            lagged += (logs[i] - mean) * (logs[i - 1] - mean);
        }
        double correlation = Math.clamp(lagged / (all * (logs.length - 1)), 0, MOST_CORRELATION);
        return Math.max(size * variance(means) / all, (1 + correlation) / (1 - correlation));
    }

    private static double variance(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum() / (values.length - 1);
    }

    /// Whether a run was not served as fast as asked.
    public static boolean overloaded(RunRecord run) {
        return broken(run).anyMatch(SloDecision::isOverload);
    }

    private static boolean isOverload(Condition condition) {
        return condition.name().equals(PaceConditions.SERVED);
    }

    private static Stream<Condition> broken(RunRecord run) {
        Verdict verdict = run.manifest().outcome().verdict();
        return verdict == null ? Stream.empty()
                : verdict.conditions().stream().filter(condition -> condition.state() == State.BROKEN);
    }
}
