package org.inferometer.execution.cuda.steps;

import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// One pool of KV blocks on the device: entries `[layers][blocks][kvHeads][keys, values][blockTokens][headDim padded to
/// 8]`, and behind them, in formats that have them, scales `[layers][blocks][kvHeads][keys, values][blockTokens]`.
///
/// Only the lane that runs a request reads and writes its blocks.
///
/// @param blockRows keys and values of a block within one layer: those of each position and KV head
/// @param dtype the format
public record CudaKvPool(KvGeometry geometry, DeviceAddress memory, int layers, int blockRows,
        CudaOptions.KvDtype dtype) {
    /// Allocates the pool.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    public static CudaKvPool take(ModelShape shape, CudaOptions options, PoolId pool, int blocks, DeviceMemory memory)
            throws ExecutorException {
        KvGeometry geometry = new KvGeometry(pool, options.blockTokens(), blocks, blockBytes(shape, options));
        if (2L * blocks * shape.kvHeads() * options.blockTokens() > Integer.MAX_VALUE) {
            throw new ExecutorException("A KV pool of " + QuantityText.bytes(geometry.bytes())
                    + " has more rows than the kernels can address; lower the KV memory.");
        }
        return new CudaKvPool(geometry, memory.take(DeviceMemory.Owner.KV_CACHE, geometry.bytes()), shape.layers(),
                2 * shape.kvHeads() * options.blockTokens(), options.kvDtype());
    }

    /// Bytes of one position over all layers, with its scales.
    public static long tokenBytes(ModelShape shape, CudaOptions options) {
        return 2L * shape.layers() * shape.kvHeads() * rowBytes(shape.headDim(), options.kvDtype());
    }

    /// Bytes of a key or value of one position and KV head, with its scale.
    public static long rowBytes(int headDim, CudaOptions.KvDtype dtype) {
        return (long) PaddedWidth.head(headDim) * dtype.bytes() + dtype.scaleBytes();
    }

    /// The format in names of kernels.
    public static String kernels(CudaOptions.KvDtype dtype) {
        return switch (dtype) {
            case FP16 -> "f16";
            case FP8 -> "fp8";
        };
    }

    /// The kernel of attention over such a pool.
    public static Kernel attention(KernelModule module, CudaOptions.KvDtype dtype, int headDim) {
        boolean tensorCores = headDim == 64 || headDim == 128;
        return module.kernel("attend_" + kernels(dtype) + "_" + (tensorCores ? headDim : "any"),
                KernelTiles.ATTEND_THREADS, tensorCores ? KernelTiles.ATTEND_SHARED : 0);
    }

    /// Bytes of a block over all layers.
    public static long blockBytes(ModelShape shape, CudaOptions options) {
        return tokenBytes(shape, options) * options.blockTokens();
    }

    public int blockTokens() {
        return geometry.blockTokens();
    }

    /// Blocks of the same kind: the entries of all layers, or their scales.
    ///
    /// @param start of the first layer
    /// @param blockBytes of a block within one layer
    public record Part(DeviceAddress start, long blockBytes, int blocks) {
        /// Bytes from one layer to the next.
        public long layerBytes() {
            return blockBytes * blocks;
        }

        private DeviceAddress layer(int index) {
            return start.plus(index * layerBytes());
        }
    }

    /// The entries.
    public Part entries() {
        return new Part(memory, geometry.blockBytes() / layers - scaleBytes(), geometry.blocks());
    }

    /// The scales; of no bytes in a format without.
    public Part scales() {
        return new Part(memory.plus(layers * entries().layerBytes()), scaleBytes(), geometry.blocks());
    }

    private long scaleBytes() {
        return (long) blockRows * dtype.scaleBytes();
    }

    /// The address of a layer's entries.
    public DeviceAddress entries(int layer) {
        return entries().layer(layer);
    }

    /// The address of a layer's scales; null in a format without.
    @Nullable
    public DeviceAddress scales(int layer) {
        return dtype.scaleBytes() == 0 ? null : scales().layer(layer);
    }
}
