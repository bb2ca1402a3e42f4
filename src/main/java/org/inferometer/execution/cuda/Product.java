package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/// A product of one weight matrix with the tokens of a step, y = W·x + b, by the kernel that suits their number: a fused
/// matrix-vector product up to four, tensor cores above. Used by one lane.
final class Product {
    private static final int TOKENS = 11;

    private final KernelArguments arguments;
    private final int outputs;
    private final int multiprocessors;
    private final Kernel[] matvec = new Kernel[KernelTiles.MATVEC_TOKENS + 1]; // by tokens: 1, 2, 4
    private final Kernel[] matmul = new Kernel[KernelTiles.Matmul.values().length];

    /// Where a product reads and writes.
    ///
    /// @param x BF16 `[tokens][inputs padded to 128]`, zeros beyond the width; rows for four tokens at least
    /// @param y `[tokens][stride]`, FP32 or, activated, BF16; rows for four tokens at least
    record Operands(DeviceAddress x, DeviceAddress y, int stride, Finish finish) {}

    /// A norm that a product of up to [KernelTiles#MATVEC_TOKENS] tokens computes of y when all of y is there.
    ///
    /// @param out BF16 `[tokens][stride]`, zeros beyond the width
    /// @param arrivals a counter that is zero
    record NextNorm(DeviceModel.Norm norm, DeviceAddress out, int stride, float epsilon, DeviceAddress arrivals) {}

    /// What becomes of the outputs.
    enum Finish {
        WRITE(KernelTiles.FINISH_WRITE),
        /// Added to y.
        ADD(KernelTiles.FINISH_ADD),
        /// Of [DeviceMatrixRows.Gated]: half as many, gate · sigmoid(gate) · up.
        SWIGLU(KernelTiles.FINISH_SWIGLU), GELU(KernelTiles.FINISH_GELU);

        private final int code;

        Finish(int code) {
            this.code = code;
        }
    }

    /// @param next FP32 products that are added only; null: none
    Product(KernelModule module, Arena arena, DeviceMatrix weight, @Nullable DeviceAddress bias, Operands operands,
            @Nullable NextNorm next) {
        multiprocessors = module.multiprocessors();
        outputs = weight.outputs();
        KernelArguments.Builder builder = KernelArguments.of(arena).address(weight.values()).address(weight.scales())
                .integer(weight.strideBytes()).address(operands.x()).integer(weight.paddedInputs());
        builder.optional(bias).address(operands.y()).integer(operands.stride()).integer(outputs)
                .integer(weight.paddedInputs()).integer(operands.finish().code).integer(0);
        if (next == null) {
            builder.none().none().none().integer(0).real(0).none();
        } else {
            builder.address(next.norm().weight()).optional(next.norm().bias()).address(next.out())
                    .integer(next.stride()).real(next.epsilon()).address(next.arrivals());
        }
        arguments = builder.build();
        for (int tokens = 1; tokens <= KernelTiles.MATVEC_TOKENS; tokens *= 2) {
            matvec[tokens] = module.kernel("matvec_" + weight.format() + "_" + tokens, KernelTiles.MATVEC_THREADS,
                    KernelTiles.MATVEC_SHARED);
        }
        for (KernelTiles.Matmul tile : KernelTiles.Matmul.values()) {
            matmul[tile.ordinal()] = module.kernel("matmul_" + weight.format() + "_" + tile.tokens(), tile.threads(),
                    tile.sharedBytes());
        }
    }

    /// Puts the product into the stream's queue.
    void launch(CUstream stream, int tokens) {
        arguments.set(TOKENS, tokens);
        if (tokens <= KernelTiles.MATVEC_TOKENS) {
            Kernel kernel = matvec[KernelTiles.matvecTokens(tokens)];
            arguments.launch(kernel, stream, Math.ceilDiv(outputs, KernelTiles.MATVEC_OUTPUTS), 1, 1);
        } else {
            KernelTiles.Matmul tile = KernelTiles.Matmul.of(tokens, outputs, multiprocessors);
            arguments.launch(matmul[tile.ordinal()], stream, Math.ceilDiv(outputs, tile.outputs()),
                    Math.ceilDiv(tokens, tile.tokens()), 1);
        }
    }
}
