package org.inferometer.execution.check;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.ModuleChoice;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.inferometer.execution.cuda.device.WarpgroupTile;
import org.inferometer.execution.cuda.steps.DeviceMatrix;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.execution.cuda.steps.Product;

/// Times of the four products of a layer in each weight format, by rows; those of many rows also by warpgroups. Weights
/// are random and rotate, so that no cache holds them.
record ProductTimings(LoadedGpu gpu, KernelTimer timer, DevicePeaks peaks, KernelSizes sizes) {
    private static final float EPSILON = 1e-5f;
    /// Most rows for which products with norms are timed.
    private static final int NORM_ROWS = 16;

    /// Matrices of one shape and the buffers of their products.
    ///
    /// @param weight of the norm that follows
    private record Operands(List<DeviceMatrix> matrices, Product.Operands buffers, DeviceAddress weight,
            DeviceAddress normed, DeviceAddress squares) {
        /// The product alone.
        Product.Norms without(int width) {
            return new Product.Norms(false, null, normed, squares, width, EPSILON);
        }

        /// With the norm before it; after it, if it is added.
        Product.Norms with(LayerProduct shape, int width) {
            boolean added = shape.finish() == Product.Finish.ADD;
            return new Product.Norms(!added, added ? weight : null, normed, squares, width, EPSILON);
        }
    }

    /// A figure for each format, product and number of rows; and what norms beside the products cost.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    List<BackendFigure> run() throws ExecutorException {
        List<BackendFigure> figures = new ArrayList<>();
        for (DeviceFormat format : DeviceFormat.values()) {
            for (LayerProduct shape : LayerProduct.of(sizes.shape())) {
                try (DeviceMemory memory = new DeviceMemory(gpu.device());
                        DeviceFill fill = new DeviceFill(memory);
                        Arena arena = Arena.ofConfined()) {
                    time(format, shape, operands(memory, fill, format, shape), arena, figures);
                }
            }
        }
        return figures;
    }

    /// Width of a result, which is half of the outputs if gated.
    private static int width(LayerProduct product) {
        return product.finish() == Product.Finish.SWIGLU ? PaddedWidth.inputs(product.outputs() / 2)
                : product.outputs();
    }

    /// Bytes of weights, activations and results.
    private static double bytes(DeviceFormat format, LayerProduct product, int rows) {
        double perResult = switch (product.finish()) {
            case SWIGLU -> Short.BYTES / 2.0;
            case ADD -> 2 * Float.BYTES;
            default -> Float.BYTES;
        };
        return weightBytes(format, product)
                + rows * ((double) Short.BYTES * product.inputs() + perResult * product.outputs());
    }

    private static long weightBytes(DeviceFormat format, LayerProduct product) {
        int padded = PaddedWidth.inputs(product.inputs());
        return DeviceMatrix.valueBytes(format, product.outputs(), padded)
                + DeviceMatrix.scaleBytes(format, product.outputs(), padded);
    }

    private Operands operands(DeviceMemory memory, DeviceFill fill, DeviceFormat format, LayerProduct shape)
            throws ExecutorException {
        List<DeviceMatrix> matrices = new ArrayList<>();
        for (int i = sizes.effort().copies(weightBytes(format, shape)); i > 0; i--) {
            matrices.add(matrix(fill, format, shape));
        }
        // Tiles read whole blocks of activations.
        int tokens = KernelTiles.Matmul.TOKENS_128.tokens();
        int rows = Math.ceilDiv(Collections.max(sizes.rows()), tokens) * tokens;
        int hidden = sizes.shape().hidden();
        int multiprocessors = gpu.module().multiprocessors();
        DeviceMemory.Owner owner = DeviceMemory.Owner.WORKSPACE;
        Product.Split split =
                new Product.Split(memory.take(owner, Float.BYTES * KernelTiles.Matmul.mostSplitSums(multiprocessors)),
                        memory.take(owner, (long) Integer.BYTES * KernelTiles.Matmul.mostSplitBlocks(multiprocessors)));
        Product.Operands buffers = new Product.Operands(
                fill.take(DeviceFill.Numbers.BF16, (long) Short.BYTES * rows * PaddedWidth.inputs(shape.inputs())),
                memory.take(owner, (long) Float.BYTES * rows * width(shape)), width(shape), shape.finish(), split);
        return new Operands(matrices, buffers, fill.take(DeviceFill.Numbers.FLOAT, (long) Float.BYTES * hidden),
                memory.take(owner, (long) Short.BYTES * rows * PaddedWidth.inputs(hidden)),
                memory.take(owner, Float.BYTES * KernelTiles.mostNormSums(rows, hidden)));
    }

    private static DeviceMatrix matrix(DeviceFill fill, DeviceFormat format, LayerProduct shape)
            throws ExecutorException {
        int padded = PaddedWidth.inputs(shape.inputs());
        long scaleBytes = DeviceMatrix.scaleBytes(format, shape.outputs(), padded);
        DeviceAddress values = fill.take(switch (format.precision()) {
            case BF16 -> DeviceFill.Numbers.BF16;
            case FP8 -> DeviceFill.Numbers.FP8;
            case INT8 -> throw DeviceFormat.noKernels();
            case INT4 -> DeviceFill.Numbers.INT4;
        }, DeviceMatrix.valueBytes(format, shape.outputs(), padded));
        DeviceAddress scales = fill.take(
                format.precision() == Precision.INT4 ? DeviceFill.Numbers.INT4_SCALES : DeviceFill.Numbers.FLOAT,
                scaleBytes);
        return new DeviceMatrix(format, values, scales, shape.outputs(), padded);
    }

    private void time(DeviceFormat format, LayerProduct shape, Operands operands, Arena arena,
            List<BackendFigure> figures) throws ExecutorException {
        int hidden = sizes.shape().hidden();
        List<Product> plain = products(gpu.module(), operands, arena, operands.without(hidden));
        List<Product> normed = products(gpu.module(), operands, arena, operands.with(shape, hidden));
        List<Product> warpgroups = hasWarpgroups()
                ? products(gpu.module().withWarpgroups(gpu.device()), operands, arena, operands.without(hidden))
                : List.of();
        for (int rows : sizes.rows()) {
            String id = format.id() + "_" + shape.id();
            String name = format.id() + " " + shape.name() + ", " + DevicePeaks.rows(rows);
            double seconds = seconds(plain, rows, 0);
            figures.add(DevicePeaks.micros(id + "_" + rows, name, seconds, sentence(format, shape, rows, seconds)));
            if (rows >= WarpgroupTile.LEAST_TOKENS && !warpgroups.isEmpty()) {
                double wgmma = seconds(warpgroups, rows, 0);
                figures.add(DevicePeaks.micros("wgmma_" + id + "_" + rows, "wgmma, " + name, wgmma,
                        sentence(format, shape, rows, wgmma)));
            }
            if (rows <= NORM_ROWS) {
                double both = seconds(normed, rows, KernelTiles.normParts(rows, hidden));
                figures.add(DevicePeaks.micros(id + "_norm_" + rows, "norm of " + name, both - seconds, String
                        .format(Locale.ROOT, "%.4g µs with the norm, %.4g µs without.", both * 1e6, seconds * 1e6)));
            }
        }
    }

    private String sentence(DeviceFormat format, LayerProduct shape, int rows, double seconds) {
        return peaks.product(shape, rows, bytes(format, shape, rows), seconds);
    }

    private boolean hasWarpgroups() {
        return ModuleChoice.hasWarpgroups(gpu.device().computeCapability(), gpu.device().driver());
    }

    private static List<Product> products(KernelModule module, Operands operands, Arena arena, Product.Norms norms) {
        return operands.matrices().stream()
                .map(matrix -> new Product(module, arena, matrix, null, operands.buffers(), norms, null)).toList();
    }

    /// @param normParts of the squares of the inputs' norm
    private double seconds(List<Product> products, int rows, int normParts) {
        return timer.secondsEach(sizes.effort().launches(), products,
                (stream, each) -> each.launch(stream, rows, normParts));
    }
}
