package org.inferometer.engine.checkpoint;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.StoredTensor.StoredPart;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.WeightSpec.WeightRole;

/// The matrices that a checkpoint has quantised, and what becomes of them in an engine. Thread-safe.
final class QuantisedWeights {
    private final Quantisation quantisation;
    private final int projections;
    private final boolean tables;
    private final Map<String, Held> byWeight;
    private final InputOrders orders;

    /// @param order of its inputs in an engine of its format
    /// @param lone whether it is an embedding or head beside one in 16 bits; then both are in 16 bits in engines
    /// @param kept whether such an engine keeps every value exactly
    private record Held(QuantisedMatrix matrix, int[] order, boolean lone, boolean kept) {}

    private QuantisedWeights(Quantisation quantisation, int projections, boolean tables, Map<String, Held> byWeight,
            InputOrders orders) {
        this.orders = orders;
        this.quantisation = quantisation;
        this.projections = projections;
        this.tables = tables;
        this.byWeight = byWeight;
    }

    /// @param weights all of the model
    /// @param quantised those that the checkpoint has quantised
    static QuantisedWeights of(Quantisation quantisation, List<WeightSpec> weights,
            Map<WeightSpec, QuantisedMatrix> quantised) {
        int projections = (int) weights.stream().filter(weight -> isProjection(weight.role())).count();
        boolean tables = weights.stream().filter(weight -> isTable(weight.role())).allMatch(quantised::containsKey);
        Map<String, Held> byWeight = new HashMap<>();
        int groupColumns = quantisation.engineGroupColumns();
        InputOrders orders = InputOrders.of(weights, quantised, groupColumns);
        quantised.forEach((weight, matrix) -> {
            int[] order = orders.ofInputs(weight);
            boolean lone = isTable(weight.role()) && !tables;
            byWeight.put(weight.name(), new Held(matrix, order, lone, !lone && matrix.isKept(groupColumns, order)));
        });
        return new QuantisedWeights(quantisation, projections, tables, byWeight, orders);
    }

    private static boolean isTable(WeightRole role) {
        return role == WeightRole.EMBEDDING || role == WeightRole.HEAD;
    }

    private static boolean isProjection(WeightRole role) {
        return role == WeightRole.PROJECTION || role == WeightRole.RESIDUAL_PROJECTION;
    }

    /// The formats of an engine of this precision: embedding and head stay in 16 bits beside projections that are kept.
    WeightFormats formats(Precision precision) {
        if (kept(precision) == 0) {
            return WeightFormats.all(precision);
        }
        Precision ofTables = tables ? precision : Precision.BF16;
        WeightFormats formats = new WeightFormats(precision, ofTables, quantisation.engineGroupColumns());
        return orders.areStored() ? formats.withActOrder() : formats;
    }

    /// The orders of inputs in an engine of this precision; none if it keeps no values.
    InputOrders orders(Precision precision) {
        return kept(precision) == 0 ? new InputOrders() : orders;
    }

    /// That of the matrices that an engine can keep; BF16 without any.
    Precision precision() {
        return byWeight.values().stream().filter(Held::kept).map(held -> held.matrix.precision()).findFirst()
                .orElse(Precision.BF16);
    }

    private int kept(Precision precision) {
        return (int) byWeight.values().stream().filter(held -> held.kept && held.matrix.precision() == precision)
                .count();
    }

    /// What becomes of the values in an engine of this precision; empty if nothing is quantised.
    Optional<String> treatment(Precision precision) {
        if (byWeight.isEmpty()) {
            return Optional.empty();
        }
        int kept = kept(precision);
        String values = values(byWeight.size());
        boolean sameFormat = byWeight.values().stream().anyMatch(held -> held.matrix.precision() == precision);
        if (kept == 0 && sameFormat) {
            return Optional.of("The " + values + " are quantised again: " + misfit() + ".");
        }
        if (kept == 0) {
            return Optional.of("The " + values + " are widened and " + (precision == Precision.BF16 ? "rounded to bf16."
                    : "quantised again to " + precision.id() + "."));
        }
        int all = (int) byWeight.values().stream().filter(held -> !held.lone).count();
        WeightFormats formats = formats(precision);
        String exactly = " are kept exactly"
                + (formats.groupColumns() == new WeightFormats(precision, formats.tables()).groupColumns() ? ""
                        : " in groups of " + formats.groupColumns() + " inputs");
        String rest = kept == all ? exactly + "."
                : ": " + kept + exactly + ", " + (all - kept) + " quantised again (" + misfit() + ").";
        String sorted = orders.isEmpty() ? "" : " Inputs are sorted by group (act-order).";
        int left = projections - all;
        String others = !tables && left > 0
                ? " " + left + " projections that the checkpoint left in 16 bits are quantised." : "";
        String table = all == byWeight.size() ? ""
                : " Embedding and output head become bf16, because the checkpoint quantised only one of them.";
        return Optional.of("The " + values(all) + rest + sorted + others + table);
    }

    private String values(int matrices) {
        return quantisation.method() + " values of " + matrices + (matrices == 1 ? " matrix" : " matrices");
    }

    /// Why an engine cannot keep some matrices, a part of a sentence.
    private String misfit() {
        return byWeight.values().stream().filter(held -> !held.kept && !held.lone)
                .map(held -> held.matrix instanceof Int4Matrix int4 ? misfit(int4) : quantisation.misfit()).distinct()
                .sorted().collect(Collectors.joining("; "));
    }

    private String misfit(Int4Matrix matrix) {
        int groupColumns = quantisation.engineGroupColumns();
        int[] own = matrix.groupOrder();
        return matrix.isKept(groupColumns, own) ? "their act-order is not that of all projections with these inputs"
                : own.length > 0 && !matrix.groupsFit(groupColumns, own) ? "their act-order has groups of unequal sizes"
                : quantisation.misfit();
    }

    /// How the checkpoint is quantised, in one line that differs where any setting does.
    String method() {
        return quantisation.toString();
    }

    /// As [org.inferometer.engine.build.WeightSource#stored].
    boolean stored(StoredTensor tensor, int row, ByteBuffer destination) {
        Held held = byWeight.get(tensor.weight().name());
        if (held == null || !held.kept || precision(tensor.part()).filter(held.matrix.precision()::equals).isEmpty()) {
            return false;
        }
        held.matrix.stored(tensor, row, held.order, destination);
        return true;
    }

    private static Optional<Precision> precision(StoredPart part) {
        return switch (part) {
            case FP8_VALUES, FP8_SCALES -> Optional.of(Precision.FP8);
            case INT8_VALUES, INT8_SCALES -> Optional.of(Precision.INT8);
            case INT4_VALUES, INT4_SCALES, INT4_ZEROS -> Optional.of(Precision.INT4);
            case FP32_VALUES, BF16_VALUES, INPUT_ORDER -> Optional.empty();
        };
    }

    /// As [org.inferometer.engine.build.WeightSource#release].
    void release(WeightSpec weight) {
        Held held = byWeight.get(weight.name());
        if (held != null && held.matrix.codes().isMapped()) {
            held.matrix.codes().unload();
        }
    }

    /// Writes a row in FP32; false if the checkpoint has not quantised the weight.
    boolean row(WeightSpec weight, int row, float[] destination) {
        Held held = byWeight.get(weight.name());
        if (held != null) {
            held.matrix.row(row, destination);
        }
        return held != null;
    }
}
