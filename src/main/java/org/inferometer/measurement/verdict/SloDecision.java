package org.inferometer.measurement.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.SloAttainment;
import org.inferometer.measurement.statistics.MissClusters;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.measurement.statistics.ShareBounds;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.record.SloResult;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;

/// Whether a load meets an SLO, by one-sided bounds of the share of its requests within the limits.
///
/// Requests of one queue share their fate. The bounds count clusters of misses, by the size of [MissClusters], and fewer if the shares of the
/// runs differ more than such clusters would. The error of 5 % is divided by the number of loads that were measured:
/// it holds for all of them together, also where a search chose them.
public record SloDecision(ServiceObjective objective) {
    /// The probability of a wrong answer about all loads.
    static final double ERROR = 0.05;

    /// Chosen by simulation: queues (M/M/1, 80 and 95 % busy) just below the goal are then called served in at most 5 %.
    private static final double CAUTION = 6;

    /// Requests that a long halt takes: a load is served without a qualification only if such halts would have been seen.
    private static final double LONG_HALT = 30;
    /// The share of bad runs that must have been seen likewise.
    private static final double BAD_RUNS = 0.2;

    /// Whether a load meets the SLO, by its runs.
    ///
    /// A run that was not served as fast as asked serves nothing. One that is INVALID for a fault of the harness proves nothing either way,
    /// and one that is INVALID for another reason than failed requests does not prove that the load is served.
    ///
    /// @param runs complete runs of the load, at least one
    /// @param loads loads that were measured, of all subjects: the best is chosen among them, so they share the error
    public SloResult result(List<RunRecord> runs, int loads) {
        SloAttainment attainment = new SloAttainment(objective);
        List<List<RequestOutcome>> requests =
                runs.stream().map(run -> attainment.judged(run.observations().requests())).toList();
        long n = requests.stream().mapToInt(List::size).sum();
        // Each run has the same weight, so short ones leave the mean of their shares less certain.
        double telling =
                runs.size() * runs.size() / requests.stream().mapToDouble(run -> 1.0 / Math.max(1, run.size())).sum();
        SloResult counted = counted(runs.stream().map(run -> run.observations().requests()).toList(),
                Math.min(n, Math.round(telling)), MissClusters.of(requests.stream().map(this::limitShares).toList()),
                loads).of(n);
        if (runs.stream().flatMap(SloDecision::broken).anyMatch(condition -> condition.requirement().isOfHarness())) {
            return new SloResult(SloResult.Outcome.CANNOT_TELL, counted.lowerShare(), counted.upperShare(),
                    counted.confidence(), n, 0, false);
        }
        long overloaded = runs.stream().filter(SloDecision::overloaded).count();
        if (overloaded > 0) {
            boolean most = 2 * overloaded >= runs.size();
            return new SloResult(
                    most || counted.outcome() == SloResult.Outcome.NOT_SERVED ? SloResult.Outcome.NOT_SERVED
                            : SloResult.Outcome.CANNOT_TELL,
                    counted.lowerShare(), counted.upperShare(), counted.confidence(), n, 0, true);
        }
        boolean invalid = runs.stream()
                .anyMatch(run -> broken(run).anyMatch(condition -> condition.requirement() != Requirement.NO_FAILURES));
        return invalid && counted.isServed() ? new SloResult(SloResult.Outcome.CANNOT_TELL, counted.lowerShare(),
                counted.upperShare(), counted.confidence(), n, 0, false) : counted;
    }

    /// Where users left before others tell what they would have seen, both answers of theirs must give the same.
    private SloResult counted(List<? extends List<RequestOutcome>> runs, long n, MissClusters clusters, int loads) {
        SloAttainment attainment = new SloAttainment(objective);
        List<Double> least = runs.stream().map(attainment::share).toList();
        List<Double> most = runs.stream().map(run -> attainment.share(run) + attainment.unknown(run)).toList();
        SloResult low = result(least, n, clusters, loads);
        SloResult high = most.equals(least) ? low : result(most, n, clusters, loads);
        return low.isServed() || low == high ? low
                : new SloResult(
                        high.outcome() == SloResult.Outcome.NOT_SERVED ? high.outcome() : SloResult.Outcome.CANNOT_TELL,
                        low.lowerShare(), high.upperShare(), low.confidence(), n, 0, false);
    }

    /// Whether a load meets the SLO, by the shares of its runs alone, as if requests were independent.
    ///
    /// @param n judged requests over all runs
    /// @param loads loads of the subject that were measured
    public SloResult result(List<Double> shares, long n, int loads) {
        return result(shares, n, MissClusters.INDEPENDENT, loads);
    }

    SloResult result(List<Double> shares, long n, MissClusters clusters, int loads) {
        Moments moments = Moments.of(shares);
        double share = moments.mean();
        double binomial = share * (1 - share) * shares.size() / Math.max(1, n);
        // Without a miss, clusters count: none of them came. Their sizes vary only where there are some.
        double seen = share == 1 ? clusters.requestsPerCluster()
                : Math.max(clusters.varianceInflation(), binomial > 0 ? moments.variance() / binomial : 1);
        // Few clusters tell little about their size.
        double inflation = 1 + (seen - 1) * (1 + CAUTION / Math.sqrt(Math.max(1, n) / seen));
        double error = ERROR / Math.max(1, loads);
        ShareBounds bounds =
                new ShareBounds(Math.max(0, (1 - share) * n / inflation), Math.max(1, n) / inflation, error);
        double goal = objective.share();
        SloResult.Outcome outcome = bounds.lowerShare() >= goal ? served(shares, n, inflation, error)
                : bounds.upperShare() < goal ? SloResult.Outcome.NOT_SERVED
                : SloResult.Outcome.CANNOT_TELL;
        return new SloResult(outcome, bounds.lowerShare(), bounds.upperShare(), 1 - error, n,
                outcome == SloResult.Outcome.CANNOT_TELL ? (long) Math.ceil(bounds.enough(goal) * inflation) : 0,
                false);
    }

    private SloResult.Outcome served(List<Double> shares, long n, double inflation, double error) {
        double least = Math.max(LONG_HALT, inflation);
        double misses = shares.stream().mapToDouble(share -> 1 - share).average().orElse(0) * n;
        boolean seen = new ShareBounds(misses / least, n / least, error).lowerShare() >= objective.share();
        return seen && shares.size() >= seeing(error).runs() ? SloResult.Outcome.SERVED
                : SloResult.Outcome.SERVED_IN_ITS_RUNS;
    }

    /// Runs and requests of a load that see one bad run in five and halts of 30 requests, but for the probability `error`.
    ///
    /// @param requests in all runs, without a miss
    public record Seeing(long runs, long requests) {}

    /// What a load takes to be served without a qualification.
    public Seeing seeing(double error) {
        return new Seeing((long) Math.ceil(Math.log(error) / Math.log(1 - BAD_RUNS)),
                (long) Math.ceil(LONG_HALT * Math.log(error) / Math.log(objective.share())));
    }

    /// Of each judged request the latency as a share of its limit, in the order of intended send times.
    double[] limitShares(List<RequestOutcome> judged) {
        SloAttainment attainment = new SloAttainment(objective);
        return judged.stream().sorted(Comparator.comparingLong(RequestOutcome::intendedNanos))
                .mapToDouble(attainment::limitShare).toArray();
    }

    /// Whether a run was not served as fast as asked.
    public static boolean overloaded(RunRecord run) {
        return broken(run).anyMatch(SloDecision::isOverload);
    }

    /// Whether a run was overloaded, and nothing else was broken that overload does not bring: failed and unsteady requests come with it.
    public static boolean saturated(RunRecord run) {
        return overloaded(run) && broken(run).allMatch(condition -> isOverload(condition)
                || condition.requirement() == Requirement.NO_FAILURES || condition.requirement().isSteadiness());
    }

    /// Whether a run tells of the target: no fault of the harness broke it.
    static boolean tells(RunRecord run) {
        return broken(run).noneMatch(condition -> condition.requirement().isOfHarness());
    }

    private static boolean isOverload(Condition condition) {
        return condition.requirement() == Requirement.SERVED_AS_ASKED;
    }

    private static Stream<Condition> broken(RunRecord run) {
        Verdict verdict = run.manifest().outcome().verdict();
        return verdict == null ? Stream.empty()
                : verdict.conditions().stream().filter(condition -> condition.state() == State.BROKEN);
    }
}
