package org.inferometer.report;

import java.util.List;
import java.util.Locale;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.simulation.PredictionErrors;
import org.inferometer.simulation.Predictions.CellPrediction;
import org.inferometer.simulation.Predictions.PredictedFigure;
import org.jspecify.annotations.Nullable;

/// Simulated beside measured figures, as text for a terminal.
public final class PredictionText {
    private PredictionText() {}

    /// One table a cell, then how far the predictions are off.
    ///
    /// @param errors absent where nothing was measured under the predicted load
    /// @param columns width of the terminal
    public static String of(List<CellPrediction> cells, @Nullable PredictionErrors errors, int columns) {
        StringBuilder text = new StringBuilder();
        for (CellPrediction cell : cells) {
            text.append(AlignedColumns.paragraph(cell.label() + source(cell, errors != null), "", columns));
            text.append(errors == null ? predicted(cell).render(columns) : compared(cell).render(columns)).append('\n');
        }
        return text.append(AlignedColumns.paragraph(errors == null
                ? "Simulated figures are predictions. See how far off they are for the measured loads: inferometer simulate RESULT."
                : summary(errors), "", columns)).toString();
    }

    private static String source(CellPrediction cell, boolean isCheck) {
        String runs = cell.runs() == 1 ? " (1 run" : " (" + cell.runs() + " runs";
        String own = cell.fromOwnRuns() ? "; step times of its own runs, since no other cell has this engine" : "";
        String other =
                !isCheck || cell.sameRequests() ? "" : "; other requests than measured, since their draw has changed";
        String beyond = cell.mostRows() <= cell.mostMeasuredRows() ? ""
                : "; steps of up to " + cell.mostRows() + " rows, measured up to " + cell.mostMeasuredRows();
        return runs + own + other + beyond + ")";
    }

    private static AlignedColumns predicted(CellPrediction cell) {
        AlignedColumns table = new AlignedColumns("FIGURE", "SIMULATED>", "5 % TO 95 %>");
        cell.figures().forEach(figure -> {
            Metric metric = metric(figure);
            table.row(FigureText.label(metric), FigureText.value(metric.unit(), figure.predicted()),
                    ends(metric, figure));
        });
        return table;
    }

    private static AlignedColumns compared(CellPrediction cell) {
        AlignedColumns table =
                new AlignedColumns("FIGURE", "MEASURED>", "SIMULATED>", "5 % TO 95 %>", "SIMULATED/MEASURED>");
        for (PredictedFigure figure : cell.figures()) {
            Metric metric = metric(figure);
            Double measured = figure.measured();
            table.row(FigureText.label(metric),
                    measured == null ? FigureText.NOT_APPLICABLE : FigureText.value(metric.unit(), measured),
                    FigureText.value(metric.unit(), figure.predicted()), ends(metric, figure),
                    figure.ratio().isPresent() ? String.format(Locale.ROOT, "%.3f%s", figure.ratio().getAsDouble(),
                            figure.covered() ? "" : " *") : FigureText.NOT_APPLICABLE);
        }
        return table;
    }

    private static Metric metric(PredictedFigure figure) {
        return Metrics.find(figure.metric()).orElseThrow();
    }

    private static String ends(Metric metric, PredictedFigure figure) {
        return FigureText.value(metric.unit(), figure.low()) + " to " + FigureText.value(metric.unit(), figure.high());
    }

    private static String summary(PredictionErrors errors) {
        Double covered = errors.covered();
        return errors("Error of throughput and medians", errors.medians()) + errors("Error of P95", errors.tails())
                + (covered == null ? "" : String.format(Locale.ROOT,
                        "%.0f %% of these measured figures lie between the ends; those that do not are marked *. ",
                        100 * covered))
                + "Simulated figures are predictions.";
    }

    private static String errors(String of, PredictionErrors.@Nullable Errors errors) {
        return errors == null ? "" : String.format(Locale.ROOT, "%s: median %.1f %%, worst %.1f %% (%d figures). ", of,
                100 * errors.median(), 100 * errors.worst(), errors.figures());
    }
}
