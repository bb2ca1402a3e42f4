package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.machine.WorkerGroup;

/// One or more linear maps of the same input as one parallel section; the [ProductEpilogue] finishes the products.
public final class LinearProjections implements WorkerGroup.Section {
    private final UnitProduct[] products;
    private final float[][] first; // a worker's outputs, [rows, width]
    private final float[][] second;
    private final PackedModel.Linear[] linears = new PackedModel.Linear[3];
    private final float[][] destinations = new float[3][];
    private final int[] strides = new int[3];
    private final int[] ends = new int[3];
    private final boolean[] converted = new boolean[3]; // multiplied by oneDNN in floats
    private int maps;
    private int rows;
    private ActivationRows input;
    private ProductEpilogue epilogue = ProductEpilogue.STORE;

    /// @param products each worker's
    /// @param maxRows rows of the largest step
    public LinearProjections(UnitProduct[] products, int maxRows, ActivationRows input) {
        this.products = products;
        this.input = input;
        int size = outputs(maxRows);
        first = new float[products.length][size];
        second = new float[products.length][size];
    }

    public static long bytes(int maxRows) {
        return 8L * outputs(maxRows);
    }

    private static int outputs(int maxRows) {
        return BlockKernels.wholeTiles(maxRows) * 2 * Vectors.UNIT;
    }

    /// As [#begin], with the same input.
    public void beginAgain(int count, ProductEpilogue how) {
        begin(input, count, how);
    }

    /// Starts a new set of maps over the first `count` rows of an input.
    public void begin(ActivationRows from, int count, ProductEpilogue how) {
        input = from;
        rows = count;
        epilogue = how;
        maps = 0;
    }

    /// Adds a projection and its destination; SWIGLU takes gate and up as one pair with one destination.
    public void add(PackedModel.Linear linear, float[] destination, int stride) {
        linears[maps] = linear;
        destinations[maps] = destination;
        strides[maps] = stride;
        PackedMatrix matrix = linear.matrix();
        converted[maps] = input.converts(rows, matrix.precision().isInteger());
        int items = converted[maps] ? UnitProduct.convertedItems(matrix)
                : Math.ceilDiv(rows, UnitProduct.panel(matrix, input, rows)) * UnitProduct.items(matrix, input, rows);
        ends[maps] = (maps == 0 ? 0 : ends[maps - 1]) + items;
        maps++;
    }

    public int items() {
        return epilogue == ProductEpilogue.SWIGLU ? ends[0] : ends[maps - 1];
    }

    @Override
    public void run(int worker, int item) {
        int map = 0;
        while (item >= ends[map]) {
            map++;
        }
        int local = map == 0 ? item : item - ends[map - 1];
        PackedMatrix matrix = linears[map].matrix();
        if (converted[map]) {
            runConverted(worker, map, local);
            return;
        }
        int panel = UnitProduct.panel(matrix, input, rows);
        int columnItems = UnitProduct.items(matrix, input, rows);
        int row = local / columnItems * panel;
        int columnItem = local % columnItems;
        int present = Math.min(panel, rows - row);
        products[worker].multiply(matrix, columnItem, input, rows, row, present, first[worker]);
        if (epilogue == ProductEpilogue.SWIGLU) {
            products[worker].multiply(linears[1].matrix(), columnItem, input, rows, row, present, second[worker]);
        }
        finish(worker, map, columnItem, UnitProduct.width(matrix, input, rows), row, present);
    }

    private void runConverted(int worker, int map, int item) {
        products[worker].multiplyConverted(linears[map].matrix(), item, input, rows, first[worker]);
        if (epilogue == ProductEpilogue.SWIGLU) {
            products[worker].multiplyConverted(linears[1].matrix(), item, input, rows, second[worker]);
        }
        finish(worker, map, item, UnitProduct.CONVERTED_WIDTH, 0, rows);
    }

    /// Adds biases and applies the epilogue.
    private void finish(int worker, int map, int columnItem, int width, int row, int present) {
        PackedModel.Linear linear = linears[map];
        int column = columnItem * width;
        int columns = Math.min(width, linear.matrix().units() * Vectors.UNIT - column);
        float[] out = first[worker];
        float[] up = out;
        if (epilogue == ProductEpilogue.SWIGLU) {
            up = second[worker];
            addBias(up, width, present, linears[1].bias(), column, columns);
        }
        addBias(out, width, present, linear.bias(), column, columns);
        epilogue.apply(out, up, width, present, columns, destinations[map], strides[map], row * strides[map] + column);
    }

    private static void addBias(float[] out, int width, int rows, float[] bias, int column, int columns) {
        if (bias.length == 0) {
            return;
        }
        for (int i = 0; i < columns; i += LANES) {
            FloatVector add = FloatVector.fromArray(FLOATS, bias, column + i);
            for (int row = 0; row < rows; row++) {
                FloatVector.fromArray(FLOATS, out, row * width + i).add(add).intoArray(out, row * width + i);
            }
        }
    }
}
