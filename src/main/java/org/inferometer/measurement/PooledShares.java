package org.inferometer.measurement;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.statistics.DependentTail;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.measurement.statistics.ShareBounds;
import org.inferometer.record.CellFigure;
import org.inferometer.record.CellFigure.Ends;
import org.inferometer.record.CellFigure.Pooled;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunObservations;

/// How far the share within an SLO, and so the goodput, may be from that of the system, by the requests of all runs together.
///
/// Three runs without a miss agree, so an interval over runs says that there never is one. Here it also holds the exact binomial interval
/// (Clopper and Pearson 1934) of as many independent requests as [DependentTail] counts.
final class PooledShares {
    private PooledShares() {}

    /// The figures of a cell, those of its SLO by all requests.
    ///
    /// @param runs behind the figures
    static List<CellFigure> with(List<CellFigure> figures, List<RunObservations> runs) {
        Optional<CellFigure> met = CellFigures.find(figures, Metrics.OBJECTIVE_MET)
                .filter(share -> share.runs() > 1 && share.runs() == runs.size());
        if (met.isEmpty()) {
            return figures;
        }
        CellFigure share = met.get();
        List<double[]> limits = runs.stream().map(PooledShares::limitShares).toList();
        long n = limits.stream().mapToInt(run -> run.length).sum();
        double independent = DependentTail.of(n, runs.size(), DependentTail.inflation(limits, 1)).independent();
        ShareBounds bounds = new ShareBounds(Math.max(0, 1 - share.mean()) * independent, independent,
                (1 - Moments.CONFIDENCE) / 2 / share.looks());
        double perShare = share.mean() > 0
                ? CellFigures.find(figures, Metrics.GOODPUT).map(CellFigure::mean).orElse(0.0) / share.mean()
                : Stream.of(Metrics.OFFERED_RATE, Metrics.REQUEST_THROUGHPUT)
                        .flatMap(metric -> CellFigures.find(figures, metric).stream()).map(CellFigure::mean).findFirst()
                        .orElse(0.0);
        return figures.stream()
                .map(figure -> figure == share ? joined(figure, independent, bounds, 1)
                        : figure.metric().equals(Metrics.GOODPUT) ? joined(figure, independent, bounds, perShare)
                        : figure)
                .toList();
    }

    private static double[] limitShares(RunObservations run) {
        SloAttainment attainment = new SloAttainment(run.setup().goal().objective());
        return attainment.judged(run.requests()).stream()
                .sorted(Comparator.comparingLong(RequestOutcome::intendedNanos)).mapToDouble(attainment::limitShare)
                .toArray();
    }

    private static CellFigure joined(CellFigure figure, double independent, ShareBounds bounds, double perShare) {
        return figure
                .ends().map(
                        runs -> figure
                                .withPooled(new Pooled(independent, figure.enough(),
                                        new Ends(Math.min(runs.low(), perShare * bounds.lowerShare()),
                                                Math.max(runs.high(), perShare * bounds.upperShare())))))
                .orElse(figure);
    }
}
