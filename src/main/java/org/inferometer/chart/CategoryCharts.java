package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.BarSeries;
import org.inferometer.report.charts.ChartData.Box;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.units.QuantityText;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.AbstractCategoryItemRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;

/// Charts over categories: grouped bars with intervals, and boxes.
record CategoryCharts(ChartStyle style) {
    private static final double WIDEST_BAR = 90;
    private static final double WIDEST_BOX = 56;
    private static final double GAP_SHARE = 0.1;
    private static final double CAP_SHARE = 0.3;

    CategoryPlot bars(ChartData data, Marks.Bars marks) {
        DefaultCategoryDataset dataset = new DefaultCategoryDataset();
        List<double[]> reach = new ArrayList<>();
        for (int s = 0; s < marks.series().size(); s++) {
            BarSeries series = marks.series().get(s);
            double[] tops = new double[marks.categories().size()];
            for (int c = 0; c < tops.length; c++) {
                Span span = series.spans().get(c);
                tops[c] = span.isPresent() ? Math.max(series.values()[c], span.high()) : series.values()[c];
                // The renderer leaves the place of a missing mean empty.
                dataset.addValue(Double.isNaN(series.values()[c]) ? null : (Number) series.values()[c], s,
                        new Category(c, marks.categories().get(c)));
            }
            reach.add(tops);
        }
        ChartRanges range = ChartRanges.roomy(data.y(), reach);
        CategoryPlot plot =
                plot(data, new ChartRanges(range.lower(), range.upper() + 0.06 * (range.upper() - range.lower())),
                        dataset, (g2, row, column, place) -> bar(g2, marks.series(), row, column, place));
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
        CategoryPlot plot = plot(data, ChartRanges.roomy(data.y(), reach), dataset,
                (g2, row, column, place) -> box(g2, marks.boxes().get(column), place));
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

    private CategoryPlot plot(ChartData data, ChartRanges range, CategoryDataset dataset, ItemPainter painter) {
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
                .styled(ChartFrame.valueAxis(data.y(), range.with(data.y(), data.guides(), false))));
        plot.setRangeGridlinePaint(style.grid());
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        plot.setDataset(dataset);
        plot.setRenderer(new ItemRenderer(painter));
        return plot;
    }

    /// Draws the item of a row in a category.
    private interface ItemPainter {
        void draw(Graphics2D g2, int row, int column, Place place);
    }

    /// The part of the picture that a category has.
    ///
    /// @param from left end of its bars
    /// @param share width of the picture that a category has
    private record Place(double from, double to, double middle, double share, Rectangle2D area, CategoryPlot plot,
            ValueAxis range) {
        double y(double value) {
            return range.valueToJava2D(value, area, plot.getRangeAxisEdge());
        }
    }

    private static final class ItemRenderer extends AbstractCategoryItemRenderer {
        private static final long serialVersionUID = 1L;
        private final transient ItemPainter painter;

        ItemRenderer(ItemPainter painter) {
            this.painter = painter;
            setDefaultCreateEntities(false);
        }

        @Override
        public void drawItem(Graphics2D g2, CategoryItemRendererState state, Rectangle2D area, CategoryPlot plot,
                CategoryAxis domain, ValueAxis range, CategoryDataset dataset, int row, int column, int pass) {
            int columns = dataset.getColumnCount();
            painter.draw(g2, row, column,
                    new Place(domain.getCategoryStart(column, columns, area, plot.getDomainAxisEdge()),
                            domain.getCategoryEnd(column, columns, area, plot.getDomainAxisEdge()),
                            domain.getCategoryMiddle(column, columns, area, plot.getDomainAxisEdge()),
                            area.getWidth() / columns, area, plot, range));
        }
    }

    /// Draws a bar, hatched by marker and paler with a dashed outline by precision, with its interval and, if there is room, its value.
    private void bar(Graphics2D g2, List<BarSeries> series, int row, int column, Place place) {
        double value = series.get(row).values()[column];
        if (!Double.isFinite(value)) {
            return;
        }
        double pitch = Math.min((place.to() - place.from()) / series.size(), WIDEST_BAR * style.scale());
        double left = (place.from() + place.to()) / 2 + (row - series.size() / 2.0) * pitch + pitch * GAP_SHARE / 2;
        double width = pitch * (1 - GAP_SHARE);
        double lower = place.range().getLowerBound();
        double top = place.y(value);
        double floor = place.y(Math.max(0, lower));
        Rectangle2D bar = new Rectangle2D.Double(left, Math.min(top, floor), width, Math.abs(floor - top));
        SeriesStyle own = series.get(row).style();
        Color colour = style.series(own);
        g2.setPaint(own.dash() == Dash.SOLID ? colour : style.translucent(colour, 0.45));
        g2.fill(bar);
        Shape clip = g2.getClip();
        g2.clip(bar);
        style.hatch(g2, bar, own.marker());
        g2.setClip(clip);
        if (own.dash() != Dash.SOLID) {
            g2.setPaint(colour);
            g2.setStroke(style.line(own));
            g2.draw(bar);
        }
        Span span = series.get(row).spans().get(column);
        double reach = span.isPresent() ? place.y(span.high()) : top;
        if (span.isPresent()) {
            interval(g2, left + width / 2, width, reach, place.y(Math.max(span.low(), lower)));
        }
        label(g2, QuantityText.significant(value), left + width / 2, Math.min(reach, top), pitch);
    }

    /// Draws a halo of background first, so that the line is visible on the bar.
    private void interval(Graphics2D g2, double middle, double width, double high, double low) {
        for (boolean halo : new boolean[]{true, false}) {
            g2.setPaint(halo ? style.background() : style.text());
            g2.setStroke(new BasicStroke((float) ((halo ? 3.2 : 1.3) * style.scale())));
            double cap = width * CAP_SHARE;
            g2.draw(new Line2D.Double(middle, high, middle, low));
            g2.draw(new Line2D.Double(middle - cap, high, middle + cap, high));
            g2.draw(new Line2D.Double(middle - cap, low, middle + cap, low));
        }
    }

    private void label(Graphics2D g2, String text, double middle, double above, double room) {
        g2.setFont(style.small());
        double width = g2.getFontMetrics().stringWidth(text);
        if (width <= room) {
            g2.setPaint(style.text());
            g2.drawString(text, (float) (middle - width / 2), (float) (above - 3 * style.scale()));
        }
    }

    /// Draws a box: quartiles, median, whiskers, and its marker at the maximum.
    private void box(Graphics2D g2, Box box, Place place) {
        double width = Math.min(WIDEST_BOX * style.scale(), place.share() * 0.5);
        double left = place.middle() - width / 2;
        double q1 = place.y(box.q1());
        double q3 = place.y(box.q3());
        double median = place.y(box.median());
        Color colour = style.series(box.style());
        g2.setStroke(style.line(box.style()));
        g2.setPaint(style.translucent(colour, 0.35));
        Rectangle2D body = new Rectangle2D.Double(left, q3, width, Math.max(q1 - q3, 1));
        g2.fill(body);
        g2.setPaint(colour);
        g2.draw(body);
        g2.setStroke(new BasicStroke((float) (1.4 * style.scale())));
        whisker(g2, place.middle(), width, q1, place.y(box.lowWhisker()));
        whisker(g2, place.middle(), width, q3, place.y(box.highWhisker()));
        g2.setStroke(new BasicStroke((float) (2.6 * style.scale()), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
        g2.draw(new Line2D.Double(left, median, left + width, median));
        new Markers(style, 2.6).draw(g2, box.style(), place.middle(), place.y(box.max()));
    }

    private static void whisker(Graphics2D g2, double middle, double width, double from, double to) {
        g2.draw(new Line2D.Double(middle, from, middle, to));
        g2.draw(new Line2D.Double(middle - width / 4, to, middle + width / 4, to));
    }
}
