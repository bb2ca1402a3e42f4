package org.inferometer.simulation;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.simulation.Predictions.CellPrediction;
import org.inferometer.simulation.Predictions.PredictedFigure;
import org.jspecify.annotations.Nullable;

/// How far predictions are from what was measured, over all cells.
///
/// @param medians of throughput and of medians; absent where none was measured
/// @param tails of P95; absent where none was measured
/// @param covered share of these figures between the ends of their predictions; absent where none was measured
public record PredictionErrors(@JsonProperty("medians") @Nullable Errors medians,
        @JsonProperty("tails") @Nullable Errors tails, @JsonProperty("covered") @Nullable Double covered) {
    private static final Set<String> MEDIANS =
            ids(Metrics.OUTPUT_THROUGHPUT, Metrics.TTFT.p50(), Metrics.ITL.p50(), Metrics.E2E.p50());
    private static final Set<String> TAILS = ids(Metrics.TTFT.p95(), Metrics.E2E.p95());

    /// Relative errors of figures.
    ///
    /// @param figures how many
    public record Errors(@JsonProperty("figures") int figures, @JsonProperty("median") double median,
            @JsonProperty("worst") double worst) {
        private static @Nullable Errors of(Stream<PredictedFigure> figures) {
            double[] errors = figures.flatMapToDouble(figure -> figure.ratio().stream())
                    .map(ratio -> Math.abs(ratio - 1)).sorted().toArray();
            if (errors.length == 0) {
                return null;
            }
            int middle = errors.length / 2;
            double median = errors.length % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
            return new Errors(errors.length, median, errors[errors.length - 1]);
        }
    }

    /// Of predicted cells.
    public static PredictionErrors of(List<CellPrediction> cells) {
        List<PredictedFigure> all = cells.stream().flatMap(cell -> cell.figures().stream()).toList();
        List<PredictedFigure> counted = all.stream()
                .filter(figure -> MEDIANS.contains(figure.metric()) || TAILS.contains(figure.metric())).toList();
        return new PredictionErrors(Errors.of(all.stream().filter(figure -> MEDIANS.contains(figure.metric()))),
                Errors.of(all.stream().filter(figure -> TAILS.contains(figure.metric()))), counted.isEmpty() ? null
                        : (double) counted.stream().filter(PredictedFigure::covered).count() / counted.size());
    }

    private static Set<String> ids(Metric... metrics) {
        return Set.of(Arrays.stream(metrics).map(Metric::id).toArray(String[]::new));
    }
}
