package org.inferometer.ui.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.Finding;
import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.results.HeadlineFigures;
import org.jspecify.annotations.Nullable;

/// The result of an experiment in the Bench view.
///
/// @param problem why the record cannot be read; empty otherwise
/// @param record null when it cannot be read
/// @param findings the answer first
/// @param leading the charts that answer first
public record ResultCard(ExperimentManifest manifest, Path folder, @Nullable ExperimentRecord record,
        List<Finding> findings, List<ChartData> leading, String problem) {

    /// One row per cell.
    ///
    /// @param share of the best output throughput, 0 to 1; NaN if not recorded
    public record CellRow(String engine, String precision, String scheduler, String tokensPerSecond, String ttft,
            String itl, String runs, double share) {}

    /// The cells in the order of the experiment.
    public List<CellRow> rows() {
        double best = manifest.cells().stream()
                .flatMap(cell -> HeadlineFigures.of(cell, HeadlineFigures.OUTPUT_THROUGHPUT).stream())
                .mapToDouble(CellFigure::mean).max().orElse(Double.NaN);
        return manifest.cells().stream().map(cell -> row(cell, best)).toList();
    }

    /// The verdict on the experiment.
    public Optional<Verdict> verdict() {
        return Optional.ofNullable(manifest.verdict());
    }

    /// Whether it is complete, and valid where it was judged.
    public boolean isSound() {
        return manifest.status() == RunStatus.COMPLETE
                && verdict().map(verdict -> verdict.grade() == Verdict.Grade.VALID).orElse(true);
    }

    /// Whether more repetitions are needed for intervals and a verdict.
    public boolean wantsMoreRuns() {
        return manifest.status() == RunStatus.COMPLETE && manifest.spec().runs() < MORE_RUNS
                && verdict().map(verdict -> verdict.grade() == Verdict.Grade.PREVIEW).orElse(true);
    }

    /// The same experiment with enough repetitions for a verdict.
    public ExperimentSpec withMoreRuns() {
        return manifest.spec().withRuns(Math.max(MORE_RUNS, manifest.spec().runs()));
    }

    /// Duration in seconds; empty when the end is unknown.
    public Optional<Double> seconds() {
        return manifest.times().duration().map(took -> took.toMillis() / 1e3);
    }

    /// Repetitions that a verdict needs.
    public static final int MORE_RUNS = 3;

    private static CellRow row(ExperimentManifest.CellSummary cell, double best) {
        Optional<CellFigure> rate = HeadlineFigures.of(cell, HeadlineFigures.OUTPUT_THROUGHPUT);
        return new CellRow(cell.cell().subject().model().orElse("–"), cell.precision(), cell.cell().subject().system(),
                HeadlineFigures.text(rate), HeadlineFigures.text(HeadlineFigures.of(cell, HeadlineFigures.TTFT_P50)),
                HeadlineFigures.text(HeadlineFigures.of(cell, HeadlineFigures.ITL_P50)), Integer.toString(cell.runs()),
                rate.map(figure -> figure.mean() / best).orElse(Double.NaN));
    }
}
