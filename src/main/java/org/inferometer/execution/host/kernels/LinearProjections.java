package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.parallel.Vectors.FLOATS;
import static org.inferometer.execution.host.parallel.Vectors.LANES;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import jdk.incubator.vector.FloatVector;
import org.inferometer.engine.Precision;
import org.inferometer.execution.host.packed.PackedMatrix;
import org.inferometer.execution.host.packed.PackedModel;
import org.inferometer.execution.host.parallel.Vectors;
import org.inferometer.execution.host.parallel.WorkerGroup;

/// One or more linear maps of the same input as one parallel section; the [ProductEpilogue] finishes the products.
public final class LinearProjections implements WorkerGroup.Section {
    private static final int MAPS = 3;

    private final Map<MatrixProduct, MatrixProduct.Worker[]> workers = new HashMap<>();
    private final float[][] first; // a worker's outputs, [rows, width]
    private final float[][] second;
    private final PackedModel.Linear[] linears = new PackedModel.Linear[MAPS];
    private final MatrixProduct.Worker[][] mapWorkers = new MatrixProduct.Worker[MAPS][];
    private final float[][] destinations = new float[MAPS][];
    private final int[] strides = new int[MAPS];
    private final int[] widths = new int[MAPS]; // outputs of an item
    private final int[] panelRows = new int[MAPS];
    private final int[] panelItems = new int[MAPS];
    private final int[] ends = new int[MAPS];
    private int maps;
    private int rows;
    private ActivationRows input;
    private ProductEpilogue epilogue = ProductEpilogue.STORE;

    /// @param threads of the lane
    /// @param maxRows rows of the largest step
    /// @param input of the first section; all have the same products
    /// @param arena as long-lived as the projections
    public LinearProjections(int threads, int maxRows, ActivationRows input, Arena arena) {
        this.input = input;
        for (MatrixProduct product : input.products().all()) {
            MatrixProduct.Worker[] each = new MatrixProduct.Worker[threads];
            Arrays.setAll(each, thread -> product.worker(maxRows, arena));
            workers.put(product, each);
        }
        int size = outputs(maxRows);
        first = new float[threads][size];
        second = new float[threads][size];
    }

    /// Bytes of a thread.
    public static long bytes(int maxRows, MatrixProducts products) {
        return 8L * outputs(maxRows) + products.all().stream().mapToLong(product -> product.workerBytes(maxRows)).sum();
    }

    private static int outputs(int maxRows) {
        return Vectors.wholeTiles(maxRows) * 2 * Vectors.UNIT;
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
        Precision weights = linear.matrix().precision();
        MatrixProduct product = input.products().of(weights.isInteger(), rows);
        int units = product.itemUnits(weights, rows);
        linears[maps] = linear;
        mapWorkers[maps] = Objects.requireNonNull(workers.get(product));
        destinations[maps] = destination;
        strides[maps] = stride;
        widths[maps] = units * Vectors.UNIT;
        panelRows[maps] = product.panelRows(input.stride, rows);
        panelItems[maps] = Math.ceilDiv(linear.matrix().units(), units);
        ends[maps] = (maps == 0 ? 0 : ends[maps - 1]) + Math.ceilDiv(rows, panelRows[maps]) * panelItems[maps];
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
        PackedModel.Linear linear = linears[map];
        PackedMatrix matrix = linear.matrix();
        int row = local / panelItems[map] * panelRows[map];
        int columnItem = local % panelItems[map];
        int present = Math.min(panelRows[map], rows - row);
        float[] out = first[worker];
        mapWorkers[map][worker].multiply(matrix, columnItem, input, rows, row, present, out);
        int width = widths[map];
        int column = columnItem * width;
        int columns = Math.min(width, matrix.units() * Vectors.UNIT - column);
        float[] up = out;
        if (epilogue == ProductEpilogue.SWIGLU) {
            up = second[worker];
            mapWorkers[1][worker].multiply(linears[1].matrix(), columnItem, input, rows, row, present, up);
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
