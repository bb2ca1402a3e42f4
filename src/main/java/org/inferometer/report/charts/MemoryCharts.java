package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.compare.ComparedCell;
import org.jspecify.annotations.Nullable;

/// Memory of cells by owner at its peak, as bars on one axis.
final class MemoryCharts {
    /// What an engine needs on any machine; the rest is the runtime's.
    private static final Set<MemoryOwner> OF_THE_MODEL =
            EnumSet.of(MemoryOwner.WEIGHTS, MemoryOwner.KV_CACHE, MemoryOwner.ACTIVATIONS, MemoryOwner.WORKSPACE);
    private static final int MOST_BARS = 12;

    private MemoryCharts() {}

    /// One bar a cell: of the model's owners alone if a cell has them, so that they are seen beside the runtime. Empty without samples.
    static Optional<ChartData> cells(List<ComparedCell> cells) {
        Map<String, ComparedCell> named = new LinkedHashMap<>();
        cells.forEach(cell -> named.putIfAbsent(cell.label(), cell));
        return bars("memory-by-cell", named);
    }

    /// One bar for each value of a swept length, in the order of the curves. Empty without samples.
    static Optional<ChartData> lengths(SweptField length, List<ComparedCell> cells) {
        Map<String, ComparedCell> named = new LinkedHashMap<>();
        Map<String, List<ComparedCell>> curves = length.curves(cells);
        curves.forEach((name, curve) -> curve.forEach(cell -> named.putIfAbsent(
                (curves.size() > 1 ? name + " · " : "") + SweepCharts.number(length.value(cell)) + " " + length.label(),
                cell)));
        return bars("memory-by-length", named);
    }

    private static Optional<ChartData> bars(String id, Map<String, ComparedCell> named) {
        List<String> names =
                named.keySet().stream().filter(name -> largest(named.get(name), EnumSet.allOf(MemoryOwner.class)) > 0)
                        .limit(MOST_BARS).toList();
        List<ComparedCell> cells = names.stream().map(named::get).toList();
        boolean ofTheModel = cells.stream().anyMatch(cell -> largest(cell, OF_THE_MODEL) > 0);
        Set<MemoryOwner> shown = ofTheModel ? OF_THE_MODEL : EnumSet.allOf(MemoryOwner.class);
        AxisUnit unit = AxisUnit.ofMemory(cells.stream().mapToDouble(cell -> largest(cell, shown)).max().orElse(0));
        List<Layer> layers = new ArrayList<>();
        for (MemoryOwner owner : shown) {
            double[] peaks = cells.stream().mapToDouble(cell -> unit.of(peak(cell, owner))).toArray();
            if (Arrays.stream(peaks).anyMatch(peak -> peak > 0)) {
                layers.add(new Layer(owner.label(), owner.ordinal(), peaks));
            }
        }
        return layers.isEmpty() ? Optional.empty() : Optional.of(new ChartData(id,
                "Memory by owner at its peak (" + unit.label() + ")",
                "peak, mean of " + CellAxis.runs(cells.stream().mapToInt(ComparedCell::runs).summaryStatistics())
                        + (ofTheModel ? " · without runtime and unattributed" : "")
                        + (named.size() > names.size() ? " · " + names.size() + " of " + named.size() + " cells" : ""),
                Axis.fromZero(unit.label()), Axis.fitted(""), new Marks.OwnerBars(names, layers)));
    }

    private static double largest(@Nullable ComparedCell cell, Set<MemoryOwner> owners) {
        return cell == null ? 0 : owners.stream().mapToDouble(owner -> peak(cell, owner)).sum();
    }

    private static double peak(ComparedCell cell, MemoryOwner owner) {
        return cell.figure(Metrics.memory(owner).peak()).map(CellFigure::mean).orElse(0.0);
    }
}
