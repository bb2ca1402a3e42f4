package org.inferometer.ui.chart;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;

/// The hidden series of a chart, by name. Hiding the last visible one shows all.
public final class SeriesSelection {
    private final Set<String> hidden = new LinkedHashSet<>();

    /// A series as the legend lists it.
    ///
    /// @param look its style or the slot of its memory owner
    public record Series(String name, Object look) {}

    /// The series of a chart; none where marks are named by an axis.
    public static List<Series> of(ChartData chart) {
        return switch (chart.marks()) {
            case Marks.Lines(var lines, boolean ignored) ->
                lines.stream().map(line -> new Series(line.name(), line.style())).toList();
            case Marks.Stack(double[] ignored, var layers) ->
                layers.stream().map(layer -> new Series(layer.name(), layer.memorySlot())).toList();
            case Marks.Histogram(double[] ignored, var series) ->
                series.stream().map(bins -> new Series(bins.name(), bins.style())).toList();
            case Marks.Bars(var ignored, var series) ->
                series.stream().map(bars -> new Series(bars.name(), bars.style())).toList();
            case Marks.Points(var series) ->
                series.stream().map(each -> new Series(each.name(), each.style())).toList();
            case Marks.OwnerBars(var ignored, var layers) ->
                layers.stream().map(layer -> new Series(layer.name(), layer.memorySlot())).toList();
            case Marks.Boxes _,Marks.Ratios _,Marks.HeatMap _ -> List.of();
        };
    }

    /// The same series without samples, for their legend. Marks that may carry the names themselves stay.
    static ChartData withoutSamples(ChartData chart) {
        double[] none = new double[0];
        Marks marks = switch (chart.marks()) {
            case Marks.Lines(var lines, boolean steps) -> new Marks.Lines(
                    lines.stream().map(line -> new ChartData.Line(line.name(), line.style(), none, none)).toList(),
                    steps);
            case Marks.Stack(double[] ignored, var layers) -> new Marks.Stack(none,
                    layers.stream().map(layer -> new ChartData.Layer(layer.name(), layer.memorySlot(), none)).toList());
            case Marks.Histogram _,Marks.Bars _,Marks.Points _,Marks.OwnerBars _,Marks.Boxes _,Marks.Ratios _,Marks.HeatMap _ ->
                chart.marks();
        };
        return new ChartData(chart.id(), chart.title(), chart.footer(), chart.x(), chart.y(), marks);
    }

    boolean isHidden(String name) {
        return hidden.contains(name);
    }

    /// Hides a visible series, shows a hidden one.
    void toggle(String name, ChartData chart) {
        if (!hidden.remove(name)) {
            hidden.add(name);
        }
        if (of(chart).stream().allMatch(series -> hidden.contains(series.name()))) {
            hidden.clear();
        }
    }

    /// Shows one series alone; shows all if it was alone.
    void isolate(String name, ChartData chart) {
        List<String> others = of(chart).stream().map(Series::name).filter(each -> !each.equals(name)).toList();
        boolean alone = !hidden.contains(name) && hidden.containsAll(others);
        hidden.clear();
        if (!alone) {
            hidden.addAll(others);
        }
    }

    /// The hidden series of a chart, in its order.
    List<String> hiddenOf(ChartData chart) {
        return of(chart).stream().map(Series::name).filter(hidden::contains).toList();
    }

    /// Hides these series of a chart and shows its others; names that it does not have are ignored.
    void hide(List<String> names, ChartData chart) {
        List<String> all = of(chart).stream().map(Series::name).toList();
        hidden.removeAll(all);
        if (!names.containsAll(all)) {
            all.stream().filter(names::contains).forEach(hidden::add);
        }
    }

    /// The chart without its hidden series. Colours stay.
    ChartData visible(ChartData chart) {
        if (of(chart).stream().noneMatch(series -> hidden.contains(series.name()))
                || of(chart).stream().allMatch(series -> hidden.contains(series.name()))) {
            return chart;
        }
        Marks marks = switch (chart.marks()) {
            case Marks.Lines(var lines, boolean steps) -> new Marks.Lines(kept(lines, ChartData.Line::name), steps);
            case Marks.Stack(double[] x, var layers) -> new Marks.Stack(x, kept(layers, ChartData.Layer::name));
            case Marks.Histogram(double[] edges, var series) ->
                new Marks.Histogram(edges, kept(series, ChartData.Bins::name));
            case Marks.Bars(var categories, var series) ->
                new Marks.Bars(categories, kept(series, ChartData.BarSeries::name));
            case Marks.Points(var series) -> new Marks.Points(kept(series, ChartData.PointSeries::name));
            case Marks.OwnerBars(var categories, var layers) ->
                new Marks.OwnerBars(categories, kept(layers, ChartData.Layer::name));
            case Marks.Boxes _,Marks.Ratios _,Marks.HeatMap _ -> chart.marks();
        };
        return chart.withMarks(chart.x(), marks);
    }

    private <S> List<S> kept(List<S> series, Function<S, String> name) {
        return series.stream().filter(each -> !hidden.contains(name.apply(each))).toList();
    }
}
