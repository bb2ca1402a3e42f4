package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.inferometer.execution.cuda.device.PinnedMemory;
import org.inferometer.execution.cuda.device.ReleaseStack;

/// Brings weights from an engine's mapped file to the device through two alternating pinned buffers. A kernel reads the
/// rows from there and writes them in the order in which products read them. Used by one thread with the device's context
/// current.
public final class WeightUpload implements AutoCloseable {
    private static final int BUFFER_BYTES = 32 << 20;
    private static final int LEAST_BUFFER_BYTES = 64 << 10;
    private static final int WARP = 32;

    private final KernelModule module;
    private final DeviceMemory memory;
    private final ReleaseStack held = new ReleaseStack();
    private final Arena arena;
    private final KernelArguments packing;
    private final DeviceStream stream;
    private final PinnedMemory[] buffers = new PinnedMemory[2];
    private final DeviceStream.Event[] sent = new DeviceStream.Event[2];
    private final int bufferBytes;
    private int turn;

    /// @param weights bytes of all weights, which limit the buffers
    /// @param tileBytes of 16 rows of the widest matrix
    public WeightUpload(KernelModule module, DeviceMemory memory, long weights, int tileBytes) {
        this.module = module;
        this.memory = memory;
        bufferBytes = Math.max(tileBytes, (int) Math.clamp(weights, LEAST_BUFFER_BYTES, BUFFER_BYTES));
        arena = held.taken(Arena.ofConfined(), Arena::close);
        try {
            packing = KernelArguments.of(KernelStruct.PACKING, arena).none("rows").none("values").integer("chunks", 0)
                    .build();
            stream = held.taken(new DeviceStream(0), DeviceStream::close);
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = held.taken(new PinnedMemory(bufferBytes), PinnedMemory::close);
                sent[i] = held.taken(new DeviceStream.Event(), DeviceStream.Event::close);
            }
        } catch (RuntimeException | Error refused) {
            held.close();
            throw refused;
        }
    }

    /// Uploads matrices as one.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceMatrix matrix(DeviceMatrixRows rows) throws ExecutorException {
        int padded = PaddedWidth.inputs(rows.columns());
        DeviceFormat format = rows.format();
        DeviceMatrix matrix = new DeviceMatrix(format,
                memory.take(DeviceMemory.Owner.WEIGHTS, DeviceMatrix.valueBytes(format, rows.count(), padded)),
                memory.take(DeviceMemory.Owner.WEIGHTS, DeviceMatrix.scaleBytes(format, rows.count(), padded)),
                rows.count(), padded);
        pack(rows, matrix);
        switch (format.precision()) {
            case BF16 -> {}
            case FP8 -> scales(rows, matrix, 1, Float.BYTES);
            case INT8 -> throw DeviceFormat.noKernels();
            case INT4 -> scales(rows, matrix, KernelTiles.TILE_ROWS,
                    Integer.BYTES * KernelTiles.TILE_ROWS * format.groups(padded));
        }
        return matrix;
    }

    private void pack(DeviceMatrixRows rows, DeviceMatrix matrix) {
        Kernel kernel = module.kernel("pack_" + matrix.format().precision().id(), KernelTiles.PACK_THREADS, 0);
        int tileBytes = KernelTiles.TILE_ROWS * matrix.format().rowBytes(matrix.paddedInputs());
        int tiles = DeviceMatrix.tiles(rows.count());
        int most = bufferBytes / tileBytes;
        packing.integer("chunks").set(matrix.chunks());
        for (int from = 0; from < tiles; from += most) {
            int count = Math.min(most, tiles - from);
            PinnedMemory buffer = next();
            WeightRows.values(rows, from * KernelTiles.TILE_ROWS, buffer.segment().asSlice(0, (long) count * tileBytes),
                    tileBytes / KernelTiles.TILE_ROWS);
            packing.wide("rows").set(buffer.address().value());
            packing.wide("values").set(matrix.values().plus((long) from * tileBytes).value());
            packing.launch(kernel, stream, Math.ceilDiv(matrix.chunks(), KernelTiles.PACK_THREADS / WARP), count, 1);
            stream.record(sent[turn]);
        }
    }

    /// @param unitRows rows of a unit of scales
    /// @param unitBytes bytes of a unit
    private void scales(DeviceMatrixRows rows, DeviceMatrix matrix, int unitRows, int unitBytes) {
        int units = Math.ceilDiv(rows.count(), unitRows);
        int most = bufferBytes / unitBytes;
        for (int from = 0; from < units; from += most) {
            int count = Math.min(most, units - from);
            PinnedMemory buffer = next();
            WeightRows.scales(rows, from * unitRows, buffer.segment().asSlice(0, (long) count * unitBytes),
                    matrix.format().groups(matrix.paddedInputs()));
            send(buffer, matrix.scales().plus((long) from * unitBytes), (long) count * unitBytes);
        }
    }

    /// Uploads FP32 numbers.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceAddress floats(float[] numbers, int count, DeviceMemory.Owner owner) throws ExecutorException {
        return words(MemorySegment.ofArray(numbers), count, owner);
    }

    /// Uploads an order of inputs.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceAddress order(int[] places) throws ExecutorException {
        return words(MemorySegment.ofArray(places), places.length, DeviceMemory.Owner.WEIGHTS);
    }

    private DeviceAddress words(MemorySegment source, int count, DeviceMemory.Owner owner) throws ExecutorException {
        DeviceAddress address = memory.take(owner, (long) Float.BYTES * count);
        int most = bufferBytes / Float.BYTES;
        for (int from = 0; from < count; from += most) {
            int size = Math.min(most, count - from);
            PinnedMemory buffer = next();
            MemorySegment.copy(source, (long) Float.BYTES * from, buffer.segment(), 0, (long) Float.BYTES * size);
            send(buffer, address.plus((long) Float.BYTES * from), (long) Float.BYTES * size);
        }
        return address;
    }

    /// The next free buffer.
    private PinnedMemory next() {
        // Waits for this buffer's event only, so that the device goes on reading the other buffer.
        turn = 1 - turn;
        sent[turn].await();
        return buffers[turn];
    }

    private void send(PinnedMemory buffer, DeviceAddress target, long bytes) {
        stream.send(buffer, target, bytes);
        stream.record(sent[turn]);
    }

    /// Waits for all copies.
    void finish() {
        stream.await();
    }

    @Override
    public void close() {
        stream.drain();
        held.close();
    }
}
