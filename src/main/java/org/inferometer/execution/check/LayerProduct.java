package org.inferometer.execution.check;

import java.util.List;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.cuda.steps.Product;

/// A product of a layer, whose time is measured.
///
/// @param id in ids: "gate_up"
/// @param name in sentences: "gate and up"
/// @param finish what becomes of its sums
record LayerProduct(String id, String name, int inputs, int outputs, Product.Finish finish) {
    /// The four products of a layer of these widths.
    static List<LayerProduct> of(ModelShape shape) {
        return List.of(
                new LayerProduct("qkv", "queries, keys and values", shape.hidden(), shape.queryKeyValueWidth(),
                        Product.Finish.WRITE),
                new LayerProduct("output", "output", shape.queryWidth(), shape.hidden(), Product.Finish.ADD),
                gateAndUp(shape),
                new LayerProduct("down", "down", shape.intermediate(), shape.hidden(), Product.Finish.ADD));
    }

    static LayerProduct gateAndUp(ModelShape shape) {
        return new LayerProduct("gate_up", "gate and up", shape.hidden(), 2 * shape.intermediate(),
                Product.Finish.SWIGLU);
    }

    /// Floating-point operations for this number of rows.
    double flops(int rows) {
        return 2.0 * rows * inputs * outputs;
    }
}
