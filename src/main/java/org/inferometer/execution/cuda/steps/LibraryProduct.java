package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import org.inferometer.engine.Precision;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.jspecify.annotations.Nullable;

/// A product of many tokens that cuBLASLt computes. For each slice of its outputs, a kernel widens the weights to BF16 rows,
/// the library multiplies, and a kernel applies the epilogue to the sums. Used by one lane.
public final class LibraryProduct {
    private static final int WARP = 32;

    private final LaneGemm gemm;
    private final DeviceMatrix weight;
    private final DeviceAddress x;
    private final int sliceOutputs;
    private final Kernel widen;
    private final KernelArguments widening;
    private final KernelArguments.LongSlot values;
    private final KernelArguments.LongSlot scales;
    private final Kernel epilogue;
    private final KernelArguments finishing;
    private final KernelArguments.IntSlot firstOutput;
    private final KernelArguments.IntSlot outputs;
    private final KernelArguments.IntSlot sumsStride;
    private final Product.Changing changing;

    LibraryProduct(KernelModule module, Arena arena, DeviceMatrix weight, @Nullable DeviceAddress bias,
            Product.Operands operands, Product.Norms norms, LaneGemm gemm) {
        this.gemm = gemm;
        this.weight = weight;
        x = operands.x();
        sliceOutputs = gemm.sizes().sliceOutputs(weight.outputs(), weight.paddedInputs());
        widen = module.kernel("widen_" + weight.format().id(), KernelTiles.WIDEN_THREADS, 0);
        widening = KernelArguments.of(KernelStruct.WIDENING, arena).none("values").none("scales")
                .address("rows", gemm.scratch().widened()).integer("chunks", weight.chunks()).build();
        values = widening.wide("values");
        scales = widening.wide("scales");
        epilogue = module.kernel("epilogue_" + weight.format().precision().id(), KernelTiles.EPILOGUE_THREADS, 0);
        finishing =
                Product.fill(KernelArguments.of(KernelStruct.EPILOGUE, arena), "product", weight, bias, operands, norms)
                        .in("").address("sums", gemm.scratch().sums()).integer("sumsStride", 0)
                        .integer("firstOutput", 0).integer("outputs", 0).build();
        firstOutput = finishing.integer("firstOutput");
        outputs = finishing.integer("outputs");
        sumsStride = finishing.integer("sumsStride");
        changing = Product.Changing.of(finishing, "product.");
    }

    /// Parts of a row of the residual stream whose squares are summed apart, as [KernelTiles#normParts].
    public static int normParts(int outputs) {
        return Math.ceilDiv(outputs, KernelTiles.EPILOGUE_OUTPUTS);
    }

    /// Enqueues the product.
    void launch(DeviceStream stream, int count, int inputParts) {
        changing.set(count, inputParts);
        for (int first = 0; first < weight.outputs(); first += sliceOutputs) {
            int wanted = Math.min(sliceOutputs, weight.outputs() - first);
            int rows = GemmSizes.wholeTiles(wanted);
            values.set(weight.valuesFrom(first).value());
            scales.set(weight.format().precision() == Precision.INT4 ? weight.groupScalesFrom(first).value() : 0);
            widening.launch(widen, stream, Math.ceilDiv(weight.chunks(), KernelTiles.WIDEN_THREADS / WARP),
                    rows / KernelTiles.TILE_ROWS, 1);
            gemm.multiply(rows, weight.paddedInputs(), x, count);
            firstOutput.set(first);
            outputs.set(wanted);
            sumsStride.set(rows);
            finishing.launch(epilogue, stream, Math.ceilDiv(count, KernelTiles.EPILOGUE_TOKENS),
                    Math.ceilDiv(wanted, KernelTiles.EPILOGUE_OUTPUTS), 1);
        }
    }
}
