package org.inferometer.cli.engines;

import java.util.Collections;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineInspection.TensorView;
import org.inferometer.engine.TensorStatistics;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.NearMisses;
import org.inferometer.units.QuantityText;

/// The values of one weight as text: figures and a histogram.
///
/// @param weight that was read
record TensorValues(String weight, TensorStatistics values) {
    private static final int LONGEST_BAR = 40;

    /// Reads a weight of a built engine.
    ///
    /// @param name of the weight, or of a tensor with its scales or zero points
    /// @throws UsageException if the engine is not built or has no such tensor
    static TensorValues read(EngineEntry entry, EngineInspection inside, String name)
            throws UsageException, EngineFormatException {
        if (entry.state() != EngineEntry.State.BUILT) {
            throw new UsageException(entry.name() + " is not built, so it has no values. Run \"engines build "
                    + entry.name() + "\" first.");
        }
        String weight = inside.tensors().stream().filter(tensor -> tensor.name().equals(name)).map(TensorView::weight)
                .findFirst().orElseThrow(() -> new UsageException(
                        NearMisses.sentence("tensor", name, inside.tensors().stream().map(TensorView::name).toList())));
        try (Engine engine = Engine.open(entry.folder())) {
            return new TensorValues(weight, TensorStatistics.of(engine, weight).orElseThrow());
        }
    }

    /// @param columns of the terminal
    String render(int columns) {
        AlignedColumns facts = new AlignedColumns("", "");
        facts.row("weight", weight);
        facts.row("values", values.count() + ", read as FP32");
        facts.row("range", QuantityText.significant(values.min()) + " to " + QuantityText.significant(values.max()));
        facts.row("mean size", QuantityText.significant(values.meanAbsolute()));
        facts.row("standard deviation", QuantityText.significant(values.standardDeviation()));
        facts.row("exactly zero",
                values.zeros() + " (" + QuantityText.significant(100.0 * values.zeros() / values.count()) + " %)");
        AlignedColumns bins = new AlignedColumns("FROM>", "VALUES>", "");
        long most = Collections.max(values.bins());
        for (int bin = 0; bin < TensorStatistics.BINS; bin++) {
            long count = values.bins().get(bin);
            // A range with a single value of millions must not look empty.
            int length = count == 0 ? 0 : (int) Math.max(1, Math.round((double) LONGEST_BAR * count / most));
            bins.row(QuantityText.significant(values.binStart(bin)), String.valueOf(count), "#".repeat(length));
        }
        return facts.render(columns) + "\n" + bins.render(columns);
    }
}
