package org.inferometer.execution.host.steps;

import java.lang.foreign.Arena;
import java.util.Arrays;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.kernels.NormKernels;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.execution.host.products.ActivationRows;
import org.inferometer.execution.host.products.LinearProjections;
import org.inferometer.execution.host.products.ProductEpilogue;
import org.inferometer.execution.host.products.ProductPlan;
import org.inferometer.execution.host.products.UnitProduct;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The transformer's forward pass over the rows of a step, on one lane's threads.
///
/// Rows, heads and units of outputs are computed independently, so a row's result does not depend on other rows. Called
/// by the lane's thread only.
final class HostForwardPass {
    /// Below this many elements a section over rows runs on one thread: dividing it costs more than it saves.
    private static final int SERIAL_ELEMENTS = 8_192;
    /// Rows of an item of a section over rows: a tile, so that no two threads write one cache line of the tiles.
    private static final int ITEM_ROWS = ActivationRows.TILE;

    private static final WorkerGroup.Section FINISHED = (worker, row) -> {};

    private final ModelShape shape;
    private final ModelWeights weights;
    private final PackedModel model;
    private final @Nullable RotaryTable rotary;
    private final KvCache cache;
    private final WorkerGroup group;
    private final Clock clock;
    private final HostLaneBuffers buffers;
    private final StepLayout plan;
    private final AttentionKernel[] attention;
    private final Sampler[] samplers;
    private final float[][] spills;
    private final float[][] unordered; // a row of each thread; empty without act-order
    private final LinearProjections projection;
    private final int[] chosen;
    private int layer;
    private int rowLimit;
    private ModelWeights.Norm norm;
    private int[] order = ModelWeights.IN_ORDER;
    private @Nullable ActivationRows preparing;
    private boolean preparingIntegers;
    private WorkerGroup.Section rowWork = FINISHED;

    private final WorkerGroup.Section rowItems = this::runRowItem;
    private final WorkerGroup.Section embed = this::embedRow;
    private final WorkerGroup.Section normalise = this::normaliseRow;
    private final WorkerGroup.Section position = this::positionRow;
    private final WorkerGroup.Section attend = this::attendTile;
    private final WorkerGroup.Section reorder = this::reorderAttendedRow;
    private final WorkerGroup.Section gather = this::gatherRow;
    private final WorkerGroup.Section sample = this::sampleRow;
    private long kernelNanos;

    /// @param arena as long-lived as the pass
    HostForwardPass(SharedModel shared, KvCache cache, WorkerGroup group, HostLaneBuffers buffers, ExecutorSizes sizes,
            Arena arena, Clock clock) {
        this.shape = shared.shape();
        this.weights = shared.weights();
        this.model = shared.packed();
        this.rotary = shared.rotary();
        this.cache = cache;
        this.group = group;
        this.clock = clock;
        this.buffers = buffers;
        this.norm = weights.finalNorm();
        int threads = group.threads();
        plan = new StepLayout(sizes.maxStepPositions(), sizes.maxSampledRows(), shape.heads() / shape.kvHeads());
        chosen = new int[sizes.maxSampledRows()];
        attention = new AttentionKernel[threads];
        samplers = new Sampler[threads];
        spills = new float[threads][Vectors.LANES];
        unordered = new float[threads][orderWidth(shape, weights)];
        UnitProduct[] products = new UnitProduct[threads];
        int maxRows = maxRows(sizes);
        for (int i = 0; i < threads; i++) {
            attention[i] = new AttentionKernel(shape.headDim(), cache.geometry().blockTokens(),
                    sizes.maxSequencePositions(), shape.slidingWindow());
            samplers[i] = new Sampler(shape.vocabulary());
            products[i] = new UnitProduct(maxRows, shared.products(), arena);
        }
        projection = new LinearProjections(products, maxRows, buffers.normed);
    }

    /// What the lanes share, read-only.
    ///
    /// @param rotary absent for learned positions
    record SharedModel(ModelShape shape, ModelWeights weights, PackedModel packed, @Nullable RotaryTable rotary,
            ProductPlan products) {}

    /// Rows of the largest product of a step.
    static int maxRows(ExecutorSizes sizes) {
        return Math.max(sizes.maxStepPositions(), sizes.maxSampledRows());
    }

    /// The widest row whose elements change places.
    private static int orderWidth(ModelShape shape, ModelWeights weights) {
        return weights.hasOrders() ? Math.max(shape.hidden(), shape.queryWidth()) : 0;
    }

    /// Scratch bytes of a lane with this many threads.
    static long scratchBytes(ModelShape shape, ModelWeights weights, ExecutorSizes sizes, int blockTokens, int threads,
            ProductPlan products) {
        int maxRows = maxRows(sizes);
        return threads * (AttentionKernel.bytes(shape.headDim(), blockTokens, sizes.maxSequencePositions())
                + Sampler.bytes(shape.vocabulary()) + UnitProduct.bytes(maxRows, products)
                + LinearProjections.bytes(maxRows) + (long) Float.BYTES * orderWidth(shape, weights));
    }

    /// Computes a checked step; [#tokens], [#logits] and [#kernelNanos] hold its results.
    void run(Step step) {
        kernelNanos = 0;
        plan.fill(step);
        overRows(embed, plan.rows, shape.hidden());
        for (layer = 0; layer < shape.layers(); layer++) {
            attentionPart(weights.layers().get(layer));
            feedForwardPart(weights.layers().get(layer));
        }
        if (plan.sampled > 0) {
            norm = weights.finalNorm();
            overRows(gather, plan.sampled, shape.hidden(), buffers.sampled, model.head().integers());
            projection.begin(buffers.sampled, plan.sampled, ProductEpilogue.STORE);
            projection.add(model.head(), buffers.logits, buffers.logitStride);
            kernel(projection, projection.items());
            if (plan.sampled == 1) {
                sample.run(0, 0);
            } else {
                group.run(sample, plan.sampled);
            }
        }
    }

    int[] tokens() {
        return Arrays.copyOf(chosen, plan.sampled);
    }

    float[][] logits() {
        float[][] rows = new float[plan.sampled][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Arrays.copyOfRange(buffers.logits, i * buffers.logitStride,
                    i * buffers.logitStride + shape.vocabulary());
        }
        return rows;
    }

    long kernelNanos() {
        return kernelNanos;
    }

    private void attentionPart(ModelWeights.LayerWeights layerWeights) {
        PackedModel.Layer matrices = model.layer(layer);
        norm = layerWeights.attentionNorm();
        order = layerWeights.query().order();
        overRows(normalise, plan.rows, shape.hidden(), buffers.normed, matrices.query().integers());
        projection.begin(buffers.normed, plan.rows, ProductEpilogue.STORE);
        projection.add(matrices.query(), buffers.query, buffers.queryStride);
        projection.add(matrices.key(), buffers.key, buffers.kvStride);
        projection.add(matrices.value(), buffers.value, buffers.kvStride);
        kernel(projection, projection.items());
        overRows(position, plan.rows, shape.queryWidth() + 4 * shape.kvWidth());
        kernel(attend, plan.tiles * shape.kvHeads());
        order = layerWeights.output().order();
        overRows(order.length == 0 ? FINISHED : reorder, plan.rows, shape.queryWidth(), buffers.attended,
                matrices.output().integers());
        projection.begin(buffers.attended, plan.rows, ProductEpilogue.ADD);
        projection.add(matrices.output(), buffers.residual, buffers.hiddenStride);
        kernel(projection, projection.items());
    }

    private void feedForwardPart(ModelWeights.LayerWeights layerWeights) {
        PackedModel.FeedForward matrices = model.layer(layer).feedForward();
        norm = layerWeights.feedForwardNorm();
        order = layerWeights.feedForward().up().order();
        overRows(normalise, plan.rows, shape.hidden(), buffers.normed, matrices.up().integers());
        ActivationRows activated = buffers.activated;
        if (matrices.gated()) {
            projection.begin(buffers.normed, plan.rows, ProductEpilogue.SWIGLU);
            projection.add(matrices.gate(), activated.values, activated.stride);
        } else {
            projection.begin(buffers.normed, plan.rows, ProductEpilogue.GELU);
        }
        projection.add(matrices.up(), activated.values, activated.stride);
        kernel(projection, projection.items());
        overRows(FINISHED, plan.rows, shape.intermediate(), activated, matrices.down().integers());
        projection.begin(activated, plan.rows, ProductEpilogue.ADD);
        projection.add(matrices.down(), buffers.residual, buffers.hiddenStride);
        kernel(projection, projection.items());
    }

    private void kernel(WorkerGroup.Section section, int items) {
        long start = clock.nanos();
        group.run(section, items);
        kernelNanos += clock.nanos() - start;
    }

    private void overRows(WorkerGroup.Section perRow, int rows, int width) {
        overRows(perRow, rows, width, null, false);
    }

    /// Runs `perRow` for every row and then makes the kernels' form of `input`.
    private void overRows(WorkerGroup.Section perRow, int rows, int width, @Nullable ActivationRows input,
            boolean integers) {
        rowWork = perRow;
        rowLimit = rows;
        preparing = input;
        preparingIntegers = integers;
        int items = Math.ceilDiv(rows, ITEM_ROWS);
        if ((long) rows * width < SERIAL_ELEMENTS) {
            for (int item = 0; item < items; item++) {
                runRowItem(0, item);
            }
        } else {
            group.run(rowItems, items);
        }
    }

    private void runRowItem(int worker, int item) {
        for (int row = item * ITEM_ROWS; row < Math.min(rowLimit, (item + 1) * ITEM_ROWS); row++) {
            rowWork.run(worker, row);
        }
        ActivationRows input = preparing;
        if (input != null) {
            input.prepare(item, rowLimit, preparingIntegers, spills[worker]);
        }
    }

    private void embedRow(int worker, int row) {
        int at = row * buffers.hiddenStride;
        weights.embedding().row(plan.token[row], buffers.residual, at);
        if (shape.traits().learnedPositions()) {
            int from = plan.position[row] * shape.hidden();
            for (int i = 0; i < shape.hidden(); i++) {
                buffers.residual[at + i] += weights.positions()[from + i];
            }
        }
    }

    private void normaliseRow(int worker, int row) {
        normalise(buffers.residual, row * buffers.hiddenStride, buffers.normed, row, worker);
        if (order.length > 0) {
            reorder(buffers.normed, row, worker);
        }
    }

    private void reorderAttendedRow(int worker, int row) {
        reorder(buffers.attended, row, worker);
    }

    /// Brings a row into the order of the product that reads it.
    private void reorder(ActivationRows rows, int row, int worker) {
        float[] own = unordered[worker];
        int at = row * rows.stride;
        System.arraycopy(rows.values, at, own, 0, order.length);
        for (int i = 0; i < order.length; i++) {
            rows.values[at + i] = own[order[i]];
        }
    }

    private void normalise(float[] from, int fo, ActivationRows to, int row, int worker) {
        int at = row * to.stride;
        if (norm.bias().length == 0) {
            NormKernels.rms(from, fo, shape.hidden(), norm.weight(), shape.normEpsilon(), to.values, at,
                    spills[worker]);
        } else {
            NormKernels.layer(from, fo, shape.hidden(), norm.weight(), norm.bias(), shape.normEpsilon(), to.values, at,
                    spills[worker]);
        }
    }

    /// Normalizes and rotates the heads of a row and writes its key and value to the cache.
    private void positionRow(int worker, int row) {
        if (plan.slice[row] == StepLayout.NO_SLICE) {
            Arrays.fill(buffers.attended.values, row * buffers.attended.stride, (row + 1) * buffers.attended.stride,
                    0f);
            return;
        }
        ModelWeights.LayerWeights layerWeights = weights.layers().get(layer);
        int queryAt = row * buffers.queryStride;
        int keyAt = row * buffers.kvStride;
        turn(buffers.query, queryAt, shape.heads(), layerWeights.queryNorm(), plan.position[row], spills[worker]);
        turn(buffers.key, keyAt, shape.kvHeads(), layerWeights.keyNorm(), plan.position[row], spills[worker]);
        int blockTokens = cache.geometry().blockTokens();
        int block = plan.blockTable[plan.slice[row]][plan.position[row] / blockTokens];
        cache.write(layer, block, plan.position[row] % blockTokens, buffers.key, keyAt, buffers.value, keyAt);
    }

    private void turn(float[] x, int at, int heads, float[] headNorm, int position, float[] spill) {
        int headDim = shape.headDim();
        for (int head = 0; head < heads; head++) {
            int start = at + head * headDim;
            if (headNorm.length > 0) {
                NormKernels.rms(x, start, headDim, headNorm, shape.normEpsilon(), x, start, spill);
            }
            if (rotary != null) {
                rotary.rotate(x, start, position);
            }
        }
    }

    private void attendTile(int worker, int item) {
        int tile = item / shape.kvHeads();
        int kvHead = item % shape.kvHeads();
        AttentionKernel kernel = attention[worker];
        int groupHeads = shape.heads() / shape.kvHeads();
        int firstRow = plan.tileRow[tile];
        int queries = plan.tileQueries[tile];
        for (int i = 0; i < queries; i++) {
            int query = plan.tileQuery[tile] + i;
            int row = firstRow + query / groupHeads;
            int head = kvHead * groupHeads + query % groupHeads;
            kernel.queryAt[i] = row * buffers.queryStride + head * shape.headDim();
            kernel.visible[i] = plan.position[row] + 1;
        }
        int[] blockTable = plan.blockTable[plan.slice[firstRow]];
        kernel.attend(cache, layer, kvHead, blockTable, queries, buffers.query, buffers.attended.values);
    }

    private void gatherRow(int worker, int index) {
        normalise(buffers.residual, plan.sampledRow[index] * buffers.hiddenStride, buffers.sampled, index, worker);
    }

    private void sampleRow(int worker, int index) {
        int row = plan.sampledRow[index];
        chosen[index] = samplers[worker].choose(buffers.logits, index * buffers.logitStride, plan.sampling(index),
                plan.position[row] + 1);
    }
}
