package org.inferometer.chart;

import java.util.List;
import org.jfree.data.xy.AbstractXYDataset;

/// Curves as arrays, without copies for the drawing library. Immutable.
final class ColumnsDataset extends AbstractXYDataset {
    private static final long serialVersionUID = 1L;
    private final transient List<Curve> columns;

    /// @param x ascending
    record Curve(String name, double[] x, double[] y) {}

    ColumnsDataset(List<Curve> columns) {
        this.columns = List.copyOf(columns);
    }

    /// One item for a renderer that draws everything at once; none if there is nothing to draw.
    static ColumnsDataset whole(boolean present) {
        return new ColumnsDataset(present ? List.of(new Curve("", new double[1], new double[1])) : List.of());
    }

    Curve curve(int series) {
        return columns.get(series);
    }

    @Override
    public int getSeriesCount() {
        return columns.size();
    }

    /// Unique also for curves of equal name.
    @Override
    public Comparable<Integer> getSeriesKey(int series) {
        return series;
    }

    @Override
    public int indexOf(@SuppressWarnings("rawtypes") Comparable key) {
        return key instanceof Integer series && series >= 0 && series < columns.size() ? series : -1;
    }

    @Override
    public int getItemCount(int series) {
        return columns.get(series).x().length;
    }

    @Override
    public Number getX(int series, int item) {
        return getXValue(series, item);
    }

    @Override
    public Number getY(int series, int item) {
        return getYValue(series, item);
    }

    @Override
    public double getXValue(int series, int item) {
        return columns.get(series).x()[item];
    }

    @Override
    public double getYValue(int series, int item) {
        return columns.get(series).y()[item];
    }
}
