package org.inferometer.chart;

import org.inferometer.units.QuantityText;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.data.category.CategoryDataset;
import org.jspecify.annotations.Nullable;

/// Writes its value above each bar, in three significant digits.
final class BarLabels implements CategoryItemLabelGenerator {
    @Override
    public @Nullable String generateLabel(CategoryDataset dataset, int row, int column) {
        Number value = dataset.getValue(row, column);
        return value == null ? null : QuantityText.significant(value.doubleValue());
    }

    @Override
    public @Nullable String generateRowLabel(CategoryDataset dataset, int row) {
        return null;
    }

    @Override
    public @Nullable String generateColumnLabel(CategoryDataset dataset, int column) {
        return null;
    }
}
