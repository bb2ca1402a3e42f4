package org.inferometer.execution.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.ExecutorException;

/// Copies weights from an engine's mapped file to the device through two alternating pinned buffers. Used by one thread
/// with the device's context current.
final class WeightUpload implements AutoCloseable {
    private static final int BUFFER_BYTES = 32 << 20;

    private final DeviceMemory memory;
    private final ReleaseStack held = new ReleaseStack();
    private final CUstream stream;
    private final PinnedMemory[] buffers = new PinnedMemory[2];
    private final CUevent[] sent = new CUevent[2];
    private final int bufferBytes;
    private int turn;

    /// @param largestBytes size of the largest copy, which limits the buffers
    WeightUpload(DeviceMemory memory, long largestBytes) {
        this.memory = memory;
        this.bufferBytes = (int) Math.clamp(largestBytes, 1 << 16, BUFFER_BYTES);
        try {
            stream = held.taken(Streams.stream(0), JCudaDriver::cuStreamDestroy);
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = held.taken(new PinnedMemory(bufferBytes), PinnedMemory::close);
                sent[i] = held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
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
        int stride = DeviceMatrix.strideBytes(rows.precision(), padded);
        DeviceAddress values = memory.take(DeviceMemory.Owner.WEIGHTS, (long) rows.count() * stride);
        DeviceAddress scales = memory.take(DeviceMemory.Owner.WEIGHTS,
                DeviceMatrix.scaleBytes(rows.precision(), rows.count(), padded));
        carry(rows, stride, values, WeightUpload::values);
        int scaleRow = (int) DeviceMatrix.scaleBytes(rows.precision(), 1, padded);
        if (scaleRow > 0) {
            carry(rows, scaleRow, scales, WeightUpload::scales);
        }
        return new DeviceMatrix(rows.precision(), values, scales, rows.count(), padded, stride);
    }

    /// Uploads FP32 numbers.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceAddress floats(float[] numbers, int count, DeviceMemory.Owner owner) throws ExecutorException {
        DeviceAddress address = memory.take(owner, (long) Float.BYTES * count);
        MemorySegment source = MemorySegment.ofArray(numbers);
        int most = bufferBytes / Float.BYTES;
        for (int from = 0; from < count; from += most) {
            int size = Math.min(most, count - from);
            PinnedMemory buffer = next();
            MemorySegment.copy(source, (long) Float.BYTES * from, buffer.segment(), 0, (long) Float.BYTES * size);
            send(buffer, address.plus((long) Float.BYTES * from), (long) Float.BYTES * size);
        }
        return address;
    }

    /// Writes one row of a matrix into zeroed memory.
    private interface RowWriter {
        void write(WeightMatrix matrix, int row, MemorySegment target, long at);
    }

    private void carry(DeviceMatrixRows rows, int rowBytes, DeviceAddress target, RowWriter row) {
        int most = Math.max(1, bufferBytes / rowBytes);
        for (int from = 0; from < rows.count(); from += most) {
            int size = Math.min(most, rows.count() - from);
            PinnedMemory buffer = next();
            buffer.segment().asSlice(0, (long) size * rowBytes).fill((byte) 0);
            for (int i = 0; i < size; i++) {
                DeviceMatrixRows.Source source = rows.source(from + i);
                WeightMatrix matrix = rows.matrices().get(source.matrix());
                if (source.row() < matrix.rows()) {
                    row.write(matrix, source.row(), buffer.segment(), (long) i * rowBytes);
                }
            }
            send(buffer, target.plus((long) from * rowBytes), (long) size * rowBytes);
        }
    }

    private static void values(WeightMatrix matrix, int row, MemorySegment target, long at) {
        switch (matrix) {
            case WeightMatrix.Bf16 bf16 ->
                MemorySegment.copy(bf16.values(), 2L * row * bf16.columns(), target, at, 2L * bf16.columns());
            case WeightMatrix.Fp8 fp8 ->
                MemorySegment.copy(fp8.values(), (long) row * fp8.columns(), target, at, fp8.columns());
            case WeightMatrix.Int4 int4 ->
                MemorySegment.copy(int4.nibbles(), (long) row * int4.rowBytes(), target, at, int4.rowBytes());
        }
    }

    private static void scales(WeightMatrix matrix, int row, MemorySegment target, long at) {
        switch (matrix) {
            case WeightMatrix.Bf16 bf16 -> throw new IllegalStateException(bf16.precision() + " has no scales");
            case WeightMatrix.Fp8 fp8 -> target.set(ValueLayout.JAVA_FLOAT, at, fp8.rowScales()[row]);
            case WeightMatrix.Int4 int4 -> {
                for (int group = 0; group < int4.groups(); group++) {
                    int scale = Short.toUnsignedInt(Float.floatToFloat16(int4.scale(row, group)));
                    target.set(ValueLayout.JAVA_INT, at + Integer.BYTES * (long) group,
                            scale | int4.zero(row, group) << 16);
                }
            }
        }
    }

    /// The next free buffer.
    private PinnedMemory next() {
        // Waits for this buffer's event only, so that the other buffer's copy continues.
        turn = 1 - turn;
        CudaFailure.require("cuEventSynchronize", JCudaDriver.cuEventSynchronize(sent[turn]));
        return buffers[turn];
    }

    private void send(PinnedMemory buffer, DeviceAddress target, long bytes) {
        CudaFailure.require("cuMemcpyHtoDAsync",
                JCudaDriver.cuMemcpyHtoDAsync(target, buffer.pointer(), bytes, stream));
        CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(sent[turn], stream));
    }

    /// Waits for all copies.
    void finish() {
        CudaFailure.require("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
    }

    @Override
    public void close() {
        JCudaDriver.cuStreamSynchronize(stream);
        held.close();
    }
}
