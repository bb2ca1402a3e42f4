package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.inferometer.execution.cuda.device.ReleaseStack;
import org.inferometer.execution.cuda.steps.CublasLt;
import org.inferometer.execution.cuda.steps.GemmSizes;
import org.inferometer.execution.cuda.steps.LaneGemm;
import org.inferometer.execution.cuda.steps.LaneGemm.GemmScratch;
import org.inferometer.execution.cuda.steps.LoadedGpu;

/// Times of a layer's products by cuBLASLt on BF16 weights: what the products of [ProductTimings] are compared with. They
/// are the library's alone, without widening and epilogue.
public record LibraryTimings(LoadedGpu gpu, KernelTimer timer, DevicePeaks peaks, KernelSizes sizes) {
    /// Fewer rows are bound by memory.
    static final int LEAST_ROWS = 64;

    /// A figure for each product and number of rows from [#LEAST_ROWS] on; none if the library is not installed.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    List<BackendFigure> run() throws ExecutorException {
        Optional<CublasLt> library = gpu.gemm().find(CudaOptions.Gemm.AUTO);
        List<Integer> rows = sizes.rows().stream().filter(count -> count >= LEAST_ROWS).toList();
        List<BackendFigure> figures = new ArrayList<>();
        if (library.isPresent() && !rows.isEmpty()) {
            for (LayerProduct product : LayerProduct.of(sizes.shape())) {
                for (int count : rows) {
                    figures.add(figure(product, count, seconds(library.get(), product, count)));
                }
            }
        }
        return figures;
    }

    /// The library's rate with the product of gate and up, the largest; empty if it is not installed.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    OptionalDouble flopsPerSecond(int count) throws ExecutorException {
        Optional<CublasLt> library = gpu.gemm().find(CudaOptions.Gemm.AUTO);
        LayerProduct product = LayerProduct.gateAndUp(sizes.shape());
        return library.isEmpty() ? OptionalDouble.empty()
                : OptionalDouble.of(product.flops(count) / seconds(library.get(), product, count));
    }

    private BackendFigure figure(LayerProduct product, int rows, double seconds) {
        double bytes = weightBytes(product)
                + rows * ((double) Short.BYTES * product.inputs() + (double) Float.BYTES * product.outputs());
        return DevicePeaks.micros("cublaslt_" + product.id() + "_" + rows,
                "cuBLASLt, bf16 " + product.name() + ", " + rows + " rows", seconds,
                peaks.product(product, rows, bytes, seconds));
    }

    private double seconds(CublasLt library, LayerProduct product, int rows) throws ExecutorException {
        int inputs = PaddedWidth.inputs(product.inputs());
        int outputs = GemmSizes.wholeTiles(product.outputs());
        int tokens = GemmSizes.padded(rows);
        try (DeviceMemory memory = new DeviceMemory(gpu.device());
                DeviceFill fill = new DeviceFill(memory);
                ReleaseStack held = new ReleaseStack()) {
            DeviceAddress x = fill.take(DeviceFill.Numbers.BF16, (long) Short.BYTES * tokens * inputs);
            DeviceAddress sums = memory.take(DeviceMemory.Owner.WORKSPACE, (long) Float.BYTES * tokens * outputs);
            DeviceAddress workspace = memory.take(DeviceMemory.Owner.WORKSPACE, GemmSizes.WORKSPACE_BYTES);
            GemmSizes any = new GemmSizes(List.of(), tokens, gpu.gemm());
            List<LaneGemm> copies = new ArrayList<>();
            for (int i = sizes.effort().copies(weightBytes(product)); i > 0; i--) {
                DeviceAddress weights = fill.take(DeviceFill.Numbers.BF16, (long) Short.BYTES * outputs * inputs);
                copies.add(held.taken(
                        new LaneGemm(library, any, new GemmScratch(weights, sums, workspace), timer.stream()),
                        LaneGemm::close));
            }
            return timer.secondsEachQueued(sizes.effort().launches(), copies,
                    each -> each.multiply(outputs, inputs, x, rows));
        }
    }

    private static long weightBytes(LayerProduct product) {
        return (long) Short.BYTES * GemmSizes.wholeTiles(product.outputs()) * PaddedWidth.inputs(product.inputs());
    }
}
