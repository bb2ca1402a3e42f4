package org.inferometer.report.charts;

import java.util.List;
import java.util.Locale;
import org.inferometer.experiment.Subject;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.compare.ComparedCell;

/// The style of each cell of a comparison: the colour is the model with its scheduler, backend and limits, the dash is the precision. Colours are assigned in
/// the order of the cells and do not change when a series is hidden.
final class SeriesStyles {
    /// The last slot of the palette is reserved for a baseline.
    private static final int SLOTS = 7;
    private final List<String> colourKeys;

    /// @param cells all cells of the comparison, in order
    SeriesStyles(List<ComparedCell> cells) {
        this.colourKeys = cells.stream().map(cell -> colourKey(cell.summary())).distinct().toList();
    }

    SeriesStyle of(CellSummary cell) {
        Dash dash = switch (cell.precision().toLowerCase(Locale.ROOT)) {
            case "fp8" -> Dash.LONG;
            case "int4" -> Dash.DOTTED;
            default -> Dash.SOLID;
        };
        return new SeriesStyle(Math.max(0, colourKeys.indexOf(colourKey(cell))) % SLOTS, dash);
    }

    private static String colourKey(CellSummary cell) {
        Subject subject = cell.cell().subject();
        String limits = subject instanceof Subject.EngineSubject engine ? engine.limits().text() : "";
        return String.join("\n", cell.model(), subject.system(), subject.platform(), limits);
    }
}
