package org.inferometer.execution.cuda.steps;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.device.CudaDevice;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PinnedMemory;
import org.inferometer.units.Clock;

/// Copies a request's keys and values of all layers from one pool to another, on its own stream.
///
/// Copies whole blocks, including a partly filled last one; reports these bytes.
final class CudaTransfer extends CudaLaneWork<KvTransfer> {
    private final List<CudaKvPool> pools;
    private final DeviceStream stream;
    private final Kernel copy;
    private final PinnedMemory pinned;
    private final DeviceAddress blocks;
    private final int capacity;
    private final KernelArguments arguments;

    /// Allocates memory for block ids; the device's context is current.
    ///
    /// @param pools by index
    /// @throws ExecutorException when the device's memory does not suffice
    CudaTransfer(CudaDevice device, DeviceMemory memory, KernelModule module, List<CudaKvPool> pools,
            ExecutorSizes sizes, int priority, Clock clock) throws ExecutorException {
        super(device, clock);
        this.pools = pools;
        capacity = Math.ceilDiv(sizes.maxSequencePositions(), pools.getFirst().blockTokens());
        try {
            blocks = memory.take(DeviceMemory.Owner.WORKSPACE, 2L * Integer.BYTES * capacity);
            pinned = held.taken(new PinnedMemory(2L * Integer.BYTES * capacity), PinnedMemory::close);
            copy = module.kernel("copy_blocks", KernelTiles.COPY_THREADS, 0);
            stream = stream(priority);
            arguments = KernelArguments.of(KernelStruct.BLOCK_COPY, arena).none("from").none("to")
                    .address("fromBlocks", blocks).address("toBlocks", blocks.plus((long) Integer.BYTES * capacity))
                    .bytes("blockBytes", 0).bytes("fromLayerBytes", 0).bytes("toLayerBytes", 0).integer("count", 0)
                    .build();
        } catch (ExecutorException | RuntimeException | Error refused) {
            held.close();
            throw refused;
        }
    }

    @Override
    StepOutcome compute(KvTransfer transfer, long startNanos, Supplier<Optional<KvTransfer>> behind) {
        CudaKvPool from = pools.get(transfer.from().index());
        CudaKvPool to = pools.get(transfer.to().index());
        int count = Math.ceilDiv(transfer.positions(), from.blockTokens());
        MemorySegment.copy(transfer.fromBlocks(), 0, pinned.segment(), ValueLayout.JAVA_INT, 0, count);
        MemorySegment.copy(transfer.toBlocks(), 0, pinned.segment(), ValueLayout.JAVA_INT,
                (long) Integer.BYTES * capacity, count);
        stream.send(pinned, blocks, 2L * Integer.BYTES * capacity);
        arguments.integer("count").set(count);
        copy(from.entries(), to.entries(), count, from.layers());
        if (from.dtype().scaleBytes() > 0) {
            copy(from.scales(), to.scales(), count, from.layers());
        }
        stream.await();
        return new StepOutcome.Transferred(count * from.geometry().blockBytes(), startNanos, clock.nanos());
    }

    private void copy(CudaKvPool.Part from, CudaKvPool.Part to, int count, int layers) {
        arguments.wide("from").set(from.start().value());
        arguments.wide("to").set(to.start().value());
        arguments.wide("blockBytes").set(from.blockBytes());
        arguments.wide("fromLayerBytes").set(from.layerBytes());
        arguments.wide("toLayerBytes").set(to.layerBytes());
        arguments.launch(copy, stream, count, layers, 1);
    }
}
