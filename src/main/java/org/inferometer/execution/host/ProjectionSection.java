package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.LANES;

import jdk.incubator.vector.FloatVector;

/// One or more linear maps of the same input as one parallel section; what becomes of the products is the [Finish].
final class ProjectionSection implements Section {
    /// What is done with a product and its bias.
    enum Finish {
        /// Written to the destination.
        STORE,
        /// Added to the destination: the residual stream.
        ADD,
        /// GELU of it is written.
        GELU,
        /// Two maps: silu of the first times the second is written.
        SWIGLU
    }

    private final UnitProduct[] products;
    private final float[][] first; // a worker's outputs, [rows, width]
    private final float[][] second;
    private final PackedModel.Linear[] linears = new PackedModel.Linear[3];
    private final float[][] destinations = new float[3][];
    private final int[] strides = new int[3];
    private final int[] ends = new int[3];
    private int maps;
    private int rows;
    private RowInput input;
    private Finish finish = Finish.STORE;

    /// @param products each worker's
    /// @param maxRows rows of the largest step
    ProjectionSection(UnitProduct[] products, int maxRows, RowInput input) {
        this.products = products;
        this.input = input;
        int size = Math.max(Vectors.roundUp(maxRows, BlockKernels.TILE_ROWS), 2) * Vectors.UNIT;
        first = new float[products.length][size];
        second = new float[products.length][size];
    }

    static long bytes(int maxRows) {
        return 8L * Math.max(Vectors.roundUp(maxRows, BlockKernels.TILE_ROWS), 2) * Vectors.UNIT;
    }

    /// Starts a new set of maps over the first `count` rows of an input.
    void aim(RowInput from, int count, Finish how) {
        input = from;
        rows = count;
        finish = how;
        maps = 0;
    }

    /// Adds a map and where its outputs go; SWIGLU reads its gate and up maps as one pair with one destination.
    void add(PackedModel.Linear linear, float[] destination, int stride) {
        linears[maps] = linear;
        destinations[maps] = destination;
        strides[maps] = stride;
        ends[maps] = (maps == 0 ? 0 : ends[maps - 1]) + UnitProduct.items(linear.matrix(), rows);
        maps++;
    }

    int items() {
        return finish == Finish.SWIGLU ? ends[0] : ends[maps - 1];
    }

    @Override
    public void run(int worker, int item) {
        int map = 0;
        while (item >= ends[map]) {
            map++;
        }
        int local = map == 0 ? item : item - ends[map - 1];
        PackedModel.Linear linear = linears[map];
        float[] out = first[worker];
        products[worker].multiply(linear.matrix(), local, input, rows, out);
        int width = UnitProduct.width(rows);
        int column = local * width;
        int columns = Math.min(width, linear.matrix().units() * Vectors.UNIT - column);
        float[] up = out;
        if (finish == Finish.SWIGLU) {
            up = second[worker];
            products[worker].multiply(linears[1].matrix(), local, input, rows, up);
            addBias(up, width, linears[1].bias(), column, columns);
        }
        addBias(out, width, linear.bias(), column, columns);
        for (int row = 0; row < rows; row++) {
            deliver(out, up, row * width, columns, destinations[map], row * strides[map] + column);
        }
    }

    private void addBias(float[] out, int width, float[] bias, int column, int columns) {
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

    private void deliver(float[] out, float[] up, int from, int columns, float[] to, int at) {
        switch (finish) {
            case STORE -> System.arraycopy(out, from, to, at, columns);
            case ADD -> {
                for (int i = 0; i < columns; i += LANES) {
                    FloatVector sum = FloatVector.fromArray(FLOATS, to, at + i).add(FloatVector.fromArray(FLOATS, out, from + i));
                    sum.intoArray(to, at + i);
                }
            }
            case GELU -> {
                for (int i = 0; i < columns; i += LANES) {
                    VectorMath.gelu(FloatVector.fromArray(FLOATS, out, from + i)).intoArray(to, at + i);
                }
            }
            case SWIGLU -> {
                for (int i = 0; i < columns; i += LANES) {
                    FloatVector gate = VectorMath.silu(FloatVector.fromArray(FLOATS, out, from + i));
                    gate.mul(FloatVector.fromArray(FLOATS, up, from + i)).intoArray(to, at + i);
                }
            }
        }
    }
}
