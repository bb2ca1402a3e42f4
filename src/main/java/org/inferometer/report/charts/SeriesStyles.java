package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Look;
import org.inferometer.report.compare.ComparedCell;

/// Gives every cell of a comparison its look: the colour is the model under its scheduler, the dash is the precision.
///
/// Colours go out in the order of the cells given here and never change because a series is hidden.
public final class SeriesStyles {
    /// Slots of the palette that are handed out; the last is kept for a baseline.
    private static final int SLOTS = 7;
    private final List<String> hues = new ArrayList<>();

    /// @param cells all cells of the comparison, in order
    public SeriesStyles(List<ComparedCell> cells) {
        for (ComparedCell cell : cells) {
            String hue = hue(cell.summary());
            if (!hues.contains(hue)) {
                hues.add(hue);
            }
        }
    }

    /// The look of a cell.
    public Look of(CellSummary cell) {
        return new Look(Math.max(0, hues.indexOf(hue(cell))) % SLOTS, dash(cell.precision()));
    }

    /// The dash of a precision as engines name it: "fp8", "INT4".
    public static Dash dash(String precision) {
        return switch (precision.toLowerCase(Locale.ROOT)) {
            case "fp8" -> Dash.LONG;
            case "int4" -> Dash.DOTTED;
            default -> Dash.SOLID;
        };
    }

    private static String hue(CellSummary cell) {
        return cell.model() + "\n" + cell.cell().subject().system();
    }
}
