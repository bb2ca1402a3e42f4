package org.inferometer.execution.cuda;

import org.inferometer.engine.ModelShape;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvGeometry;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.QuantityText;

/// One pool of KV blocks on the device: `[layers][blocks][kvHeads][keys, values][blockTokens][headDim padded to 8]`.
///
/// Only the lane that runs a request reads and writes its blocks.
///
/// @param format number format in kernel names: "f16", "fp8"
record CudaKvPool(KvGeometry geometry, DeviceAddress memory, int layers, String format) {
    /// Allocates the pool.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    static CudaKvPool take(ModelShape shape, CudaOptions options, PoolId pool, int blocks, DeviceMemory memory)
            throws ExecutorException {
        KvGeometry geometry = new KvGeometry(pool, options.blockTokens(), blocks, blockBytes(shape, options));
        if (2L * blocks * shape.kvHeads() * options.blockTokens() > Integer.MAX_VALUE) {
            throw new ExecutorException("A KV pool of " + QuantityText.bytes(geometry.bytes())
                    + " has more rows than the kernels can address; lower --kv-memory.");
        }
        String format = switch (options.kvDtype()) {
            case FP16 -> "f16";
            case FP8 -> "fp8";
        };
        return new CudaKvPool(geometry, memory.take(DeviceMemory.Owner.KV_CACHE, geometry.bytes()), shape.layers(),
                format);
    }

    /// Bytes of one position over all layers.
    static long tokenBytes(ModelShape shape, CudaOptions options) {
        return 2L * shape.layers() * shape.kvHeads() * PaddedWidth.head(shape.headDim()) * options.kvDtype().bytes();
    }

    /// Bytes of a block over all layers.
    static long blockBytes(ModelShape shape, CudaOptions options) {
        return tokenBytes(shape, options) * options.blockTokens();
    }

    int blockTokens() {
        return geometry.blockTokens();
    }

    /// Bytes of a block within one layer.
    long layerBlockBytes() {
        return geometry.blockBytes() / layers;
    }

    /// Bytes from one layer to the next.
    long layerBytes() {
        return layerBlockBytes() * geometry.blocks();
    }

    /// The address of a layer's first block.
    DeviceAddress layer(int index) {
        return memory.plus(index * layerBytes());
    }
}
