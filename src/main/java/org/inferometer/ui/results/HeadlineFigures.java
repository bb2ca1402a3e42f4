package org.inferometer.ui.results;

import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric;
import org.inferometer.report.FigureText;
import org.inferometer.ui.fx.Messages;
import org.inferometer.units.QuantityText;

/// The three headline metrics, and the text of a cell's metric.
public final class HeadlineFigures {
    /// Output tokens per second.
    public static final String OUTPUT_THROUGHPUT = Metrics.OUTPUT_THROUGHPUT.id();
    /// Median time to first token.
    public static final String TTFT_P50 = Metrics.TTFT.p50().id();
    /// Median inter-token latency.
    public static final String ITL_P50 = Metrics.ITL.p50().id();

    private HeadlineFigures() {}

    /// The value of a metric in a cell.
    public static Optional<CellFigure> of(ExperimentManifest.CellSummary cell, String metricId) {
        return cell.figures().stream().filter(figure -> figure.metric().id().equals(metricId)).findFirst();
    }

    /// "123 tok/s ± 4", or "not recorded".
    public static String text(Optional<CellFigure> figure) {
        return figure.map(known -> {
            String value = text(known.metric().unit(), known.mean());
            Metric.Unit unit = known.metric().unit();
            String spread = known.ends()
                    .map(ends -> known.isUneven() ? " [" + text(unit, ends.low()) + ", " + text(unit, ends.high()) + "]"
                            : " ± " + text(unit, known.interval().orElseThrow()))
                    .orElse("");
            String mark = !known.enough() ? " (" + FigureText.fewestSamples(List.of(known)) + " a run)"
                    : known.isMarked() ? " (" + FigureText.tooFew(List.of(known)) + ")"
                    : "";
            return value + spread + mark;
        }).orElse(Messages.text("figure.not-recorded"));
    }

    private static String text(Metric.Unit unit, double value) {
        return switch (unit) {
            case NANOSECONDS -> QuantityText.latency(value);
            case PER_SECOND_REQUESTS -> QuantityText.significant(value) + " req/s";
            case PER_SECOND_TOKENS -> QuantityText.significant(value) + " tok/s";
            case FRACTION -> QuantityText.significant(value * 100) + " %";
            case BYTES -> QuantityText.bytes(Math.round(value));
            case COUNT, RATIO -> QuantityText.significant(value);
            case PRICE_PER_MILLION_TOKENS -> QuantityText.significant(value) + " per million tokens";
            case JOULES_PER_TOKEN -> QuantityText.significant(value) + " J/token";
            case WATTS -> QuantityText.significant(value) + " W";
        };
    }
}
