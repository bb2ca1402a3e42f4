package org.inferometer.chart;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Ratio;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;

/// Charts of named rows: ratios to a baseline, memory bars, heat maps.
final class RowCharts {
    /// Ratios of 0.91 to 1.1 are always on the axis.
    private static final double LEAST_REACH = 1.1;
    /// Room for the total beyond the longest bar.
    private static final double TOTAL_ROOM = 0.14;
    private final ChartStyle style;

    RowCharts(ChartStyle style) {
        this.style = style;
    }

    XYPlot ratios(ChartData data, Marks.Ratios marks) {
        List<double[]> reach = new ArrayList<>();
        reach.add(new double[]{1 / LEAST_REACH, LEAST_REACH});
        for (Ratio row : marks.rows()) {
            reach.add(row.runs());
            reach.add(new double[]{row.value(), row.span().low(), row.span().high()});
        }
        ChartData.Axis axis = new ChartData.Axis(data.x().label(), true, data.x().lower(), data.x().upper());
        ChartRanges range = ChartRanges.marked(axis, reach).with(axis, data.guides(), true);
        NameAxis names = names("", marks.rows().stream().map(Ratio::name).toList(), true);
        XYPlot plot = rows(new RatioAxis(data.x().label(), range), names);
        plot.setRangeAxis(1, new OutcomeAxis(marks.rows(), style));
        plot.setDataset(ColumnsDataset.whole(!marks.rows().isEmpty()));
        plot.setRenderer(new PathRenderer(new RatiosRenderer(marks.rows(), style)));
        return plot;
    }

    XYPlot ownerBars(ChartData data, Marks.OwnerBars marks) {
        int categories = marks.categories().size();
        ChartData.Axis axis = new ChartData.Axis(data.x().label(), false, 0, data.x().upper());
        ChartRanges range = ChartRanges.tight(axis, List.of(OwnerBarsRenderer.totals(categories, marks.layers())));
        if (Double.isNaN(axis.upper())) {
            range = new ChartRanges(0, range.upper() * (1 + TOTAL_ROOM)).with(axis, data.guides(), true);
        }
        XYPlot plot = rows(ChartComposer.valueAxis(axis, range), names(data.y().label(), marks.categories(), true));
        plot.setDataset(ColumnsDataset.whole(categories > 0 && !marks.layers().isEmpty()));
        plot.setRenderer(new PathRenderer(new OwnerBarsRenderer(categories, marks.layers(), style)));
        plot.setFixedLegendItems(new ChartLegends(style).layers(marks.layers()));
        return plot;
    }

    XYPlot heatMap(ChartData data, Marks.HeatMap marks) {
        XYPlot plot =
                rows(names(data.x().label(), marks.columns(), false), names(data.y().label(), marks.rows(), true));
        plot.setDomainGridlinesVisible(false);
        plot.setDataset(ColumnsDataset.whole(!marks.rows().isEmpty() && !marks.columns().isEmpty()));
        plot.setRenderer(new PathRenderer(new HeatMapRenderer(marks, style)));
        return plot;
    }

    private NameAxis names(String label, List<String> names, boolean rows) {
        return new NameAxis(label, names, rows);
    }

    private XYPlot rows(ValueAxis x, NameAxis y) {
        XYPlot plot = new ChartFrame(style).grid(x, y);
        plot.setRangeGridlinesVisible(false);
        y.setTickLabelPaint(style.text());
        if (x instanceof NameAxis) {
            x.setTickLabelPaint(style.text());
        }
        plot.setFixedLegendItems(new LegendItemCollection());
        return plot;
    }
}
