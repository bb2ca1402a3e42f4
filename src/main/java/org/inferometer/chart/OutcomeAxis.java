package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.report.charts.ChartData.Tone;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.ui.RectangleEdge;

/// The outcome of each row at the right of the plot. The ratio in figures stands beside it if the plot keeps most of the width, else below
/// it; it is left out if there is no room for either.
final class OutcomeAxis extends NumberAxis {
    private static final long serialVersionUID = 1L;
    private static final double PLOT_SHARE = 0.6;
    private static final double LEAST_PLOT_SHARE = 0.28;
    private static final double LINES_AROUND = 4;
    private final transient List<Ratio> rows;
    private final transient ChartStyle style;

    OutcomeAxis(List<Ratio> rows, ChartStyle style) {
        super(null);
        this.rows = rows;
        this.style = style;
        setRange(-0.5, Math.max(1, rows.size()) - 0.5);
        setInverted(true);
        setAutoTickUnitSelection(false, false);
    }

    @Override
    public AxisSpace reserveSpace(Graphics2D g2, Plot plot, Rectangle2D area, RectangleEdge edge, AxisSpace space) {
        Letters letters = Letters.of(g2, style.small());
        double height = (area.getHeight() - LINES_AROUND * letters.height()) / rows.size();
        space.add(Math.ceil(width(letters, area.getWidth(), space.getLeft(), height >= 2 * letters.height()))
                + gap(letters), edge);
        return space;
    }

    /// @param whole width of the chart
    /// @param names width of the names of the rows
    private double width(Letters letters, double whole, double names, boolean twoLines) {
        double beside = widest(row -> beside(row, letters));
        double room = whole - names - gap(letters);
        if (beside <= room - whole * PLOT_SHARE) {
            return beside;
        }
        if (twoLines) {
            return widest(row -> Math.max(outcome(row, letters), letters.width(row.text())));
        }
        double most = room - whole * LEAST_PLOT_SHARE;
        return beside <= most ? beside : Math.max(widest(row -> outcome(row, letters)),
                Math.min(most, widest(row -> row.tone() == Tone.NEUTRAL ? 0 : beside(row, letters))));
    }

    @Override
    public AxisState draw(Graphics2D g2, double cursor, Rectangle2D area, Rectangle2D data, RectangleEdge edge,
            PlotRenderingInfo info) {
        g2.setFont(style.small());
        Letters letters = Letters.of(g2, g2.getFont());
        double left = cursor + gap(letters);
        double right = area.getMaxX();
        boolean allBeside = left + widest(row -> beside(row, letters)) <= right + 1;
        boolean twoLines = !allBeside && data.getHeight() / rows.size() >= 2 * letters.height();
        for (int i = 0; i < rows.size(); i++) {
            Ratio row = rows.get(i);
            double middle = valueToJava2D(i, data, edge);
            double text = letters.width(row.text());
            boolean beside = !twoLines && left + beside(row, letters) <= right + 1;
            double down = twoLines && !row.text().isEmpty() ? letters.height() / 2.0 : 0;
            outcome(g2, row, left, middle - down);
            if (!row.text().isEmpty() && (beside || twoLines)) {
                g2.setPaint(style.muted());
                g2.drawString(row.text(), (float) (beside ? right - text : left),
                        (float) (letters.baseline(middle) + down));
            }
        }
        return new AxisState(right);
    }

    private void outcome(Graphics2D g2, Ratio row, double left, double middle) {
        Letters letters = Letters.of(g2, g2.getFont());
        g2.setPaint(style.tone(row.tone()));
        double arrow = arrow(row, letters);
        if (arrow > 0) {
            double size = letters.ascent() * 0.32;
            double up = row.value() >= 1 ? -size : size;
            Path2D.Double path = new Path2D.Double();
            path.moveTo(left + size, middle + up);
            path.lineTo(left, middle - up);
            path.lineTo(left + 2 * size, middle - up);
            path.closePath();
            g2.fill(path);
        }
        g2.drawString(row.outcome(), (float) (left + arrow), letters.baseline(middle));
    }

    private double widest(ToDoubleFunction<Ratio> width) {
        return rows.stream().mapToDouble(width).max().orElse(0);
    }

    private static double beside(Ratio row, Letters letters) {
        return outcome(row, letters) + gap(letters) + letters.width(row.text());
    }

    private static double outcome(Ratio row, Letters letters) {
        return arrow(row, letters) + letters.width(row.outcome());
    }

    /// The room of the arrow up or down, which only a difference has.
    private static double arrow(Ratio row, Letters letters) {
        return row.tone() == Tone.NEUTRAL || Double.isNaN(row.value()) ? 0 : letters.ascent();
    }

    private static double gap(Letters letters) {
        return letters.height() * 0.6;
    }
}
