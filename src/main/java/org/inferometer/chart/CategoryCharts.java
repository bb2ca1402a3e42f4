package org.inferometer.chart;

import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.BarSeries;
import org.inferometer.report.charts.ChartData.Box;
import org.inferometer.report.charts.ChartData.Marks;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.statistics.DefaultStatisticalCategoryDataset;

/// Charts over categories: grouped bars with intervals, and boxes.
final class CategoryCharts {
    private final ChartStyle style;

    CategoryCharts(ChartStyle style) {
        this.style = style;
    }

    CategoryPlot bars(ChartData data, Marks.Bars marks) {
        DefaultStatisticalCategoryDataset dataset = new DefaultStatisticalCategoryDataset();
        List<double[]> reach = new ArrayList<>();
        for (int s = 0; s < marks.series().size(); s++) {
            BarSeries series = marks.series().get(s);
            double[] tops = new double[marks.categories().size()];
            for (int c = 0; c < tops.length; c++) {
                double half = series.halfWidths()[c];
                tops[c] = series.values()[c] + (Double.isNaN(half) ? 0 : half);
                // The renderer leaves the place of a missing mean empty.
                dataset.add(Double.isNaN(series.values()[c]) ? null : (Number) series.values()[c],
                        Double.isNaN(half) ? null : (Number) half, s, new Category(c, marks.categories().get(c)));
            }
            reach.add(tops);
        }
        ChartRanges range = ChartRanges.roomy(data.y(), reach);
        CategoryPlot plot =
                plot(data, new ChartRanges(range.lower(), range.upper() + 0.06 * (range.upper() - range.lower())));
        plot.setDataset(dataset);
        plot.setRenderer(new BarsRenderer(marks.series(), style));
        plot.setFixedLegendItems(new ChartLegends(style).bars(marks.series()));
        return plot;
    }

    CategoryPlot boxes(ChartData data, Marks.Boxes marks) {
        DefaultCategoryDataset dataset = new DefaultCategoryDataset();
        List<double[]> reach = new ArrayList<>();
        for (int b = 0; b < marks.boxes().size(); b++) {
            Box box = marks.boxes().get(b);
            dataset.addValue(box.median(), "boxes", new Category(b, box.category()));
            reach.add(new double[]{box.lowWhisker(), box.max()});
        }
        CategoryPlot plot = plot(data, ChartRanges.roomy(data.y(), reach));
        plot.setDataset(dataset);
        plot.setRenderer(new BoxRenderer(marks.boxes(), style));
        plot.setFixedLegendItems(new LegendItemCollection());
        return plot;
    }

    /// A category identified by its place: two of equal name stay two.
    private record Category(int place, String name) implements Comparable<Category> {
        @Override
        public int compareTo(Category other) {
            return Integer.compare(place, other.place);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private CategoryPlot plot(ChartData data, ChartRanges range) {
        CategoryPlot plot = new CategoryPlot();
        CategoryAxis axis =
                new ChartFrame(style).styled(new CategoryAxis(data.x().label().isEmpty() ? null : data.x().label()));
        axis.setTickLabelPaint(style.text());
        axis.setMaximumCategoryLabelLines(5);
        axis.setCategoryLabelPositions(CategoryLabelPositions.STANDARD);
        axis.setCategoryMargin(0.3);
        axis.setLowerMargin(0.03);
        axis.setUpperMargin(0.03);
        axis.setTickMarksVisible(false);
        plot.setDomainAxis(axis);
        plot.setRangeAxis(new ChartFrame(style)
                .styled(ChartComposer.valueAxis(data.y(), range.with(data.y(), data.guides(), false))));
        plot.setRangeGridlinePaint(style.grid());
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        return plot;
    }
}
