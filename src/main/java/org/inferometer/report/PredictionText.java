package org.inferometer.report;

import java.util.List;
import java.util.Locale;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.simulation.PredictionCheck.CellPrediction;
import org.inferometer.simulation.PredictionCheck.PredictedFigure;
import org.inferometer.simulation.PredictionErrors;

/// Simulated beside measured figures, as text for a terminal.
public final class PredictionText {
    private PredictionText() {}

    /// One table a cell, then how far the predictions are off.
    ///
    /// @param columns width of the terminal
    public static String of(List<CellPrediction> cells, PredictionErrors errors, int columns) {
        StringBuilder text = new StringBuilder();
        for (CellPrediction cell : cells) {
            text.append(AlignedColumns.paragraph(cell.label() + source(cell), "", columns));
            AlignedColumns table =
                    new AlignedColumns("FIGURE", "MEASURED>", "SIMULATED>", "5 % TO 95 %>", "SIMULATED/MEASURED>");
            cell.figures().forEach(figure -> row(table, figure));
            text.append(table.render(columns)).append('\n');
        }
        return text.append(AlignedColumns.paragraph(summary(errors), "", columns)).toString();
    }

    private static String source(CellPrediction cell) {
        String runs = cell.runs() == 1 ? " (1 run" : " (" + cell.runs() + " runs";
        String own = cell.fromOwnRuns() ? "; step times of its own runs, since no other cell has this engine" : "";
        String other = cell.sameRequests() ? "" : "; other requests than measured, since their draw has changed";
        return runs + own + other + ")";
    }

    private static void row(AlignedColumns table, PredictedFigure figure) {
        Metric metric = Metrics.find(figure.metric()).orElseThrow();
        table.row(FigureText.label(metric), FigureText.value(metric.unit(), figure.measured()),
                FigureText.value(metric.unit(), figure.predicted()),
                FigureText.value(metric.unit(), figure.low()) + " to " + FigureText.value(metric.unit(), figure.high()),
                figure.ratio().isPresent() ? String.format(Locale.ROOT, "%.3f%s", figure.ratio().getAsDouble(),
                        figure.covered() ? "" : " *") : FigureText.NOT_APPLICABLE);
    }

    private static String summary(PredictionErrors errors) {
        return String.format(Locale.ROOT,
                "Error of throughput and medians: median %.1f %%, worst %.1f %% (%d figures). "
                        + "Error of P95: median %.1f %%, worst %.1f %% (%d figures). "
                        + "%.0f %% of these measured figures lie between the ends; those that do not are marked *. Simulated figures are predictions.",
                100 * errors.medians().median(), 100 * errors.medians().worst(), errors.medians().figures(),
                100 * errors.tails().median(), 100 * errors.tails().worst(), errors.tails().figures(),
                100 * errors.covered());
    }
}
