package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;

/// Joins the figures of the runs of a cell. Pure.
public final class CellFigures {
    private CellFigures() {}

    /// One figure per metric that at least one run has, in the order in which the runs first name them.
    ///
    /// A run without a figure does not enter its mean; the figure then rests on fewer runs and says so.
    ///
    /// @param runs the figures of each run
    public static List<CellFigure> of(List<List<Figure>> runs) {
        Map<String, List<Figure>> byMetric = new LinkedHashMap<>();
        for (List<Figure> run : runs) {
            for (Figure figure : run) {
                byMetric.computeIfAbsent(figure.metric().id(), id -> new ArrayList<>()).add(figure);
            }
        }
        return byMetric.values().stream().map(CellFigures::join).toList();
    }

    /// The figure of a metric among some.
    public static Optional<CellFigure> find(List<CellFigure> figures, Metric metric) {
        return figures.stream().filter(figure -> figure.metric().id().equals(metric.id())).findFirst();
    }

    private static CellFigure join(List<Figure> runs) {
        List<Double> values = runs.stream().map(Figure::value).toList();
        return new CellFigure(runs.getFirst().metric(), Moments.of(values).mean(),
                TInterval.of(values).map(TInterval::halfWidth).orElse(null), values,
                runs.stream().mapToLong(Figure::n).sum(), runs.stream().mapToLong(Figure::n).min().orElseThrow(),
                runs.stream().allMatch(Figure::enough));
    }
}
