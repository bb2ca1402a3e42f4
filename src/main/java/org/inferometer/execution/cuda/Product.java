package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/// The product y = W·x + b of a weight matrix and the tokens of a step. Up to four tokens use a fused matrix-vector
/// kernel, more use tensor cores. Used by one lane.
final class Product {
    private static final int TOKENS = 11;

    private final KernelArguments arguments;
    private final int outputs;
    private final int multiprocessors;
    private final Kernel[] matvec = new Kernel[KernelTiles.MATVEC_TOKENS + 1]; // by tokens: 1, 2, 4
    private final Kernel[] matmul = new Kernel[KernelTiles.Matmul.values().length];

    /// The input and output of a product.
    ///
    /// @param x BF16 `[tokens][inputs padded to 128]`, padded with zeros; rows for at least four tokens
    /// @param y `[tokens][stride]`, FP32, or BF16 after an activation; rows for at least four tokens
    record Operands(DeviceAddress x, DeviceAddress y, int stride, Finish finish) {}

    /// A norm that a product of up to [KernelTiles#MATVEC_TOKENS] tokens computes after y is complete.
    ///
    /// @param out BF16 `[tokens][stride]`, padded with zeros
    /// @param arrivals a counter, zero between launches
    record NextNorm(DeviceModel.Norm norm, DeviceAddress out, int stride, float epsilon, DeviceAddress arrivals) {}

    /// The epilogue of a product.
    enum Finish {
        WRITE(KernelTiles.FINISH_WRITE),
        /// Added to y.
        ADD(KernelTiles.FINISH_ADD),
        /// For [DeviceMatrixRows.Gated]: gate · sigmoid(gate) · up, half as many outputs.
        SWIGLU(KernelTiles.FINISH_SWIGLU), GELU(KernelTiles.FINISH_GELU);

        private final int code;

        Finish(int code) {
            this.code = code;
        }
    }

    /// @param next only for FP32 products with ADD; null for none
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

    /// Enqueues the product.
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
