package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.inferometer.chart.Letters.TextFit;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.ui.RectangleEdge;

/// An axis of names at 0, 1, 2 and so on: rows from the top at the left, or columns at the bottom. Long names break into lines.
final class NameAxis extends NumberAxis {
    private static final long serialVersionUID = 1L;
    private static final double WIDEST_SHARE = 0.36;
    private static final int MOST_LINES = 3;
    private final transient List<String> names;

    NameAxis(String label, List<String> names, boolean rows) {
        super(label.isEmpty() ? null : label);
        this.names = names;
        setRange(-0.5, Math.max(1, names.size()) - 0.5);
        setInverted(rows);
        setAutoTickUnitSelection(false, false);
    }

    @Override
    public AxisSpace reserveSpace(Graphics2D g2, Plot plot, Rectangle2D area, RectangleEdge edge, AxisSpace space) {
        Letters letters = Letters.of(g2, getTickLabelFont());
        Rectangle2D label = getLabelEnclosure(g2, edge);
        if (RectangleEdge.isLeftOrRight(edge)) {
            // Ticks, titles and footers are below: the rows get about four fifths.
            TextFit fit = fit(letters, area.getWidth() * WIDEST_SHARE, area.getHeight() * 0.8 / names.size());
            double widest = names.stream().mapToDouble(name -> fit.widest(fit.lines(name))).max().orElse(0);
            space.add(label.getWidth() + Math.ceil(widest) + gap(letters), edge);
        } else {
            TextFit fit = new TextFit(letters, area.getWidth() * 0.94 / names.size(), MOST_LINES);
            int lines = names.stream().mapToInt(name -> fit.lines(name).size()).max().orElse(0);
            space.add(label.getHeight() + lines * letters.height() + gap(letters), edge);
        }
        return space;
    }

    @Override
    public AxisState draw(Graphics2D g2, double cursor, Rectangle2D area, Rectangle2D data, RectangleEdge edge,
            PlotRenderingInfo info) {
        g2.setFont(getTickLabelFont());
        g2.setPaint(getTickLabelPaint());
        Letters letters = Letters.of(g2, g2.getFont());
        boolean rows = RectangleEdge.isLeftOrRight(edge);
        Rectangle2D label = getLabelEnclosure(g2, edge);
        double width = rows ? cursor - area.getMinX() - label.getWidth() - gap(letters)
                : data.getWidth() * 0.96 / names.size();
        TextFit fit = rows ? fit(letters, width + 1, data.getHeight() / names.size())
                : new TextFit(letters, width, MOST_LINES);
        double reached = 0;
        for (int i = 0; i < names.size(); i++) {
            List<String> lines = fit.lines(names.get(i));
            double at = valueToJava2D(i, data, edge);
            double top = rows ? at - lines.size() * letters.height() / 2.0 : cursor + gap(letters) / 2;
            for (int l = 0; l < lines.size(); l++) {
                double own = letters.width(lines.get(l));
                double left = rows ? cursor - gap(letters) - own : at - own / 2;
                g2.drawString(lines.get(l), (float) left, (float) (top + l * letters.height() + letters.ascent()));
                reached = Math.max(reached, rows ? own : (l + 1) * letters.height());
            }
        }
        AxisState state = new AxisState(
                rows ? cursor - gap(letters) - reached - gap(letters) / 2 : cursor + gap(letters) / 2 + reached);
        return drawLabel(getLabel(), g2, area, data, edge, state);
    }

    private static TextFit fit(Letters letters, double width, double height) {
        return new TextFit(letters, width, Math.clamp((long) (height / letters.height()), 1, MOST_LINES));
    }

    private static double gap(Letters letters) {
        return letters.height() * 0.5;
    }
}
