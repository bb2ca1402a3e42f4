package org.inferometer.execution.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.inferometer.execution.cuda.steps.AttentionPlan;
import org.inferometer.execution.cuda.steps.AttentionTiling;
import org.inferometer.execution.cuda.steps.CudaKvPool;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.jspecify.annotations.Nullable;

/// Times of decode attention of one layer, by the positions of its sequences. Caches are random and rotate, as those of
/// the layers of a model do.
record AttentionTimings(LoadedGpu gpu, KernelTimer timer, DevicePeaks peaks, KernelSizes sizes) {
    private static final int BLOCK_TOKENS = 16;
    private static final float EPSILON = 1e-5f;

    /// What all layers share: inputs, the rows' tables and results.
    private record Rows(DeviceAddress qkv, DeviceAddress rotary, DeviceAddress items, int count, DeviceAddress stepRows,
            DeviceAddress blockTables, DeviceAddress partial, DeviceAddress arrivals, DeviceAddress out, int blocks) {}

    /// A figure for each cache format and context.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    List<BackendFigure> run() throws ExecutorException {
        List<BackendFigure> figures = new ArrayList<>();
        for (CudaOptions.KvDtype dtype : CudaOptions.KvDtype.values()) {
            for (KernelSizes.Context context : sizes.contexts()) {
                figures.add(figure(dtype, context));
            }
        }
        return figures;
    }

    private BackendFigure figure(CudaOptions.KvDtype dtype, KernelSizes.Context context) throws ExecutorException {
        ModelShape shape = sizes.shape();
        long tokenBytes = 2L * shape.kvHeads() * CudaKvPool.rowBytes(shape.headDim(), dtype);
        String format = CudaKvPool.kernels(dtype);
        try (DeviceMemory memory = new DeviceMemory(gpu.device());
                DeviceFill fill = new DeviceFill(memory);
                Arena arena = Arena.ofConfined()) {
            Rows rows = rows(memory, fill, context);
            Kernel kernel = CudaKvPool.attention(gpu.module(), dtype, shape.headDim());
            List<KernelArguments> layers = new ArrayList<>();
            for (int i = sizes.effort().copies(context.sum() * tokenBytes); i > 0; i--) {
                layers.add(arguments(arena, rows, fill, dtype));
            }
            double seconds = timer.secondsEach(sizes.effort().launches(), layers,
                    (stream, each) -> each.launch(kernel, stream, rows.count() * shape.kvHeads(), 1, 1));
            return DevicePeaks.micros("attend_" + format + "_" + context.id(),
                    "decode attention, " + format + ", " + context.id(), seconds,
                    DevicePeaks.rows(context.positions().size()) + " with " + context.sum() + " positions in "
                            + rows.count() + (rows.count() == 1 ? " item: " : " items: ")
                            + peaks.memory(seconds, (double) context.sum() * tokenBytes) + ".");
        }
    }

    private Rows rows(DeviceMemory memory, DeviceFill fill, KernelSizes.Context context) throws ExecutorException {
        ModelShape shape = sizes.shape();
        int count = context.positions().size();
        AttentionTiling tiling =
                new AttentionTiling(gpu.module().multiprocessors(), shape.kvHeads(), shape.heads() / shape.kvHeads());
        AttentionPlan plan = new AttentionPlan(tiling, count);
        plan.clear();
        int blocks = 0;
        for (int i = 0; i < count; i++) {
            plan.add(i, 1, blocks, 0, context.positions().get(i));
            blocks += Math.ceilDiv(context.positions().get(i), BLOCK_TOKENS);
        }
        int[] words = new int[tiling.mostItems(count) * AttentionPlan.ITEM_BYTES / Integer.BYTES];
        int items;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = arena.allocate((long) Integer.BYTES * words.length, Integer.BYTES);
            items = plan.write(list, 0);
            MemorySegment.copy(list, ValueLayout.JAVA_INT, 0, words, 0, words.length);
        }
        DeviceMemory.Owner owner = DeviceMemory.Owner.WORKSPACE;
        return new Rows(fill.take(DeviceFill.Numbers.FLOAT, (long) Float.BYTES * count * shape.queryKeyValueWidth()),
                fill.take(DeviceFill.Numbers.FLOAT, (long) Float.BYTES * context.longest() * shape.headDim()),
                fill.integers(words), items,
                fill.integers(context.positions().stream()
                        .flatMapToInt(length -> IntStream.of(0, length - 1, 0, length)).toArray()),
                fill.integers(scattered(blocks)),
                memory.take(owner,
                        Float.BYTES * tiling.mostPartialRows(count) * shape.heads()
                                * PaddedWidth.partial(shape.headDim())),
                memory.take(owner, (long) Integer.BYTES * count * shape.kvHeads()),
                memory.take(owner, (long) Short.BYTES * count * PaddedWidth.inputs(shape.queryWidth())), blocks);
    }

    /// The blocks of a pool in an order in which neighbours are far apart.
    private static int[] scattered(int blocks) {
        int step = 7919; // prime, so that every block comes once unless their number is a multiple of it
        return IntStream.range(0, blocks).map(i -> blocks % step == 0 ? i : (int) ((long) i * step % blocks)).toArray();
    }

    private KernelArguments arguments(Arena arena, Rows rows, DeviceFill fill, CudaOptions.KvDtype dtype)
            throws ExecutorException {
        ModelShape shape = sizes.shape();
        long keysAndValues = 2L * shape.kvHeads() * rows.blocks() * BLOCK_TOKENS;
        DeviceAddress entries =
                fill.take(dtype == CudaOptions.KvDtype.FP8 ? DeviceFill.Numbers.FP8 : DeviceFill.Numbers.F16,
                        keysAndValues * PaddedWidth.head(shape.headDim()) * dtype.bytes());
        @Nullable DeviceAddress scales = dtype.scaleBytes() == 0 ? null
                : fill.take(DeviceFill.Numbers.KV_SCALES, keysAndValues * dtype.scaleBytes());
        return KernelArguments.of(KernelStruct.ATTENTION, arena).none("q").address("items", rows.items())
                .address("rows", rows.stepRows()).address("blockTables", rows.blockTables())
                .address("partial", rows.partial()).address("arrivals", rows.arrivals()).address("out", rows.out())
                .integer("blockTokens", BLOCK_TOKENS).integer("outStride", PaddedWidth.inputs(shape.queryWidth()))
                .integer("window", 0).integer("placed", 0).in("cache").address("entries", entries)
                .optional("scales", scales).in("heads").address("qkv", rows.qkv()).none("queryNorm").none("keyNorm")
                .address("rotary", rows.rotary()).integer("stride", shape.queryKeyValueWidth())
                .integer("heads", shape.heads()).integer("kvHeads", shape.kvHeads()).integer("headDim", shape.headDim())
                .real("epsilon", EPSILON).build();
    }
}
