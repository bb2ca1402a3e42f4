package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.inferometer.execution.cuda.device.WarpgroupTile;
import org.jspecify.annotations.Nullable;

/// The product y = W·x + b of a weight matrix and the tokens of a step. Up to four tokens use a fused matrix-vector
/// kernel, more use tensor cores; cuBLASLt or kernels for warpgroups compute those of many tokens where the lane has them.
/// Used by one lane.
public final class Product {
    private final KernelArguments arguments;
    private final KernelArguments.IntSlot splits;
    private final Changing changing;
    private final int outputs;
    private final int chunks;
    private final int multiprocessors;
    private final Kernel[] matvec = new Kernel[KernelTiles.MATVEC_TOKENS + 1]; // by tokens: 1, 2, 4
    private final Kernel[] matmul = new Kernel[KernelTiles.Matmul.values().length];
    private final Kernel[] wgmma = new Kernel[WarpgroupTile.values().length];
    private final DeviceFormat format;
    private final boolean usesWarpgroups;
    private final @Nullable LaneGemm gemm;
    private final @Nullable LibraryProduct library;

    /// The input and output of a product.
    ///
    /// @param x BF16 `[tokens][inputs padded to 128]`, padded with zeros; rows for at least four tokens
    /// @param y `[tokens][stride]`, FP32, or BF16 after an activation; rows for at least four tokens
    /// @param split for products that divide their inputs among blocks
    public record Operands(DeviceAddress x, DeviceAddress y, int stride, Finish finish, Split split) {}

    /// Memory for sums of such products, and their counters, which are zero between launches.
    public record Split(DeviceAddress sums, DeviceAddress arrivals) {}

    /// The RMSNorms beside a product.
    ///
    /// @param in whether x is unscaled, so that the product applies the norm of its row
    /// @param next weight of the norm of y, which the product writes unscaled; null for none, as without ADD
    /// @param out BF16 `[tokens][inputs of the next product]`, padded with zeros
    /// @param squares sums of squares of parts of the residual stream
    public record Norms(boolean in, @Nullable DeviceAddress next, DeviceAddress out, DeviceAddress squares, int width,
            float epsilon) {}

    /// The epilogue of a product.
    public enum Finish {
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

    /// What changes between launches of a kernel with these arguments.
    record Changing(KernelArguments.IntSlot tokens, KernelArguments.IntSlot parts, KernelArguments.IntSlot strideIn,
            KernelArguments.IntSlot strideOut) {
        /// @param at where the struct's fields begin: a name with a dot, or nothing
        static Changing of(KernelArguments arguments, String at) {
            return new Changing(arguments.integer(at + "tokens"), arguments.integer(at + "normIn.parts"),
                    arguments.integer(at + "normIn.tokensStride"), arguments.integer(at + "normOut.tokensStride"));
        }

        void set(int count, int inputParts) {
            tokens.set(count);
            parts.set(inputParts);
            strideIn.set(KernelTiles.normStride(count));
            strideOut.set(KernelTiles.normStride(count));
        }
    }

    /// @param gemm for products of many tokens; null if the backend's own kernels compute all
    public Product(KernelModule module, Arena arena, DeviceMatrix weight, @Nullable DeviceAddress bias,
            Operands operands, Norms norms, @Nullable LaneGemm gemm) {
        this.gemm = gemm;
        multiprocessors = module.multiprocessors();
        outputs = weight.outputs();
        chunks = weight.chunks();
        arguments = fill(KernelArguments.of(KernelStruct.PRODUCT, arena), "", weight, bias, operands, norms).build();
        splits = arguments.integer("split.count");
        changing = Changing.of(arguments, "");
        library = gemm == null ? null : new LibraryProduct(module, arena, weight, bias, operands, norms, gemm);
        for (int count = 1; count <= KernelTiles.MATVEC_TOKENS; count *= 2) {
            matvec[count] = module.kernel("matvec_" + weight.format().id() + "_" + count, KernelTiles.MATVEC_THREADS,
                    KernelTiles.MATVEC_SHARED);
        }
        format = weight.format();
        for (KernelTiles.Matmul tile : KernelTiles.Matmul.upTo(format.largestTile())) {
            matmul[tile.ordinal()] = module.kernel("matmul_" + weight.format().id() + "_" + tile.tokens(),
                    tile.threads(), tile.sharedBytes(weight.format()));
        }
        KernelModule warpgroups = module.warpgroups();
        for (WarpgroupTile tile : WarpgroupTile.values()) {
            if (warpgroups != null && tile.has(format)) {
                wgmma[tile.ordinal()] = warpgroups.kernel("wgmma_" + format.id() + "_" + tile.tokens(), tile.threads(),
                        tile.sharedBytes(format));
            }
        }
        usesWarpgroups = warpgroups != null;
    }

    /// Sets the fields of the struct `Product`.
    ///
    /// @param at the name of a field of that type, or nothing
    static KernelArguments.Builder fill(KernelArguments.Builder builder, String at, DeviceMatrix weight,
            @Nullable DeviceAddress bias, Operands operands, Norms norms) {
        String nested = at.isEmpty() ? "" : at + ".";
        int width = norms.width();
        return builder.in(at).address("values", weight.values()).address("scales", weight.scales())
                .address("x", operands.x()).optional("bias", bias).address("out", operands.y())
                .integer("xStride", weight.paddedInputs()).integer("outStride", operands.stride())
                .integer("outputs", weight.outputs()).integer("paddedK", weight.paddedInputs())
                .integer("finish", operands.finish().code).integer("tokens", 0).in(nested + "split")
                .address("partial", operands.split().sums()).address("arrivals", operands.split().arrivals())
                .integer("count", 1).in(nested + "normIn").optional("squares", norms.in() ? norms.squares() : null)
                .integer("parts", 0).integer("tokensStride", 0).integer("width", width).real("epsilon", norms.epsilon())
                .in(nested + "normOut").optional("weight", norms.next()).address("out", norms.out())
                .address("squares", norms.squares()).integer("stride", PaddedWidth.inputs(width))
                .integer("tokensStride", 0);
    }

    /// Enqueues the product.
    ///
    /// @param inputParts parts of the squares of x's norm; see [KernelTiles#normParts]
    public void launch(DeviceStream stream, int count, int inputParts) {
        if (gemm != null && library != null && gemm.takes(count)) {
            library.launch(stream, count, inputParts);
            return;
        }
        changing.set(count, inputParts);
        if (count <= KernelTiles.MATVEC_TOKENS) {
            splits.set(1);
            Kernel kernel = matvec[KernelTiles.matvecTokens(count)];
            arguments.launch(kernel, stream, Math.ceilDiv(outputs, KernelTiles.MATVEC_OUTPUTS), 1, 1);
        } else if (usesWarpgroups && count >= WarpgroupTile.LEAST_TOKENS) {
            WarpgroupTile tile = WarpgroupTile.of(count, format);
            Kernel kernel = wgmma[tile.ordinal()];
            int shares = tile.splits(count, outputs, chunks, multiprocessors, kernel.blocksEach());
            splits.set(shares);
            arguments.launch(kernel, stream, Math.ceilDiv(count, tile.tokens()), Math.ceilDiv(outputs, tile.outputs()),
                    shares);
        } else {
            KernelTiles.Matmul tile = KernelTiles.Matmul.of(count, format.largestTile());
            Kernel kernel = matmul[tile.ordinal()];
            int shares =
                    tile.splits(count, outputs, chunks, KernelTiles.Matmul.slots(kernel.blocksEach(), multiprocessors));
            splits.set(shares);
            arguments.launch(kernel, stream, Math.ceilDiv(count, tile.tokens()), Math.ceilDiv(outputs, tile.outputs()),
                    shares);
        }
    }
}
