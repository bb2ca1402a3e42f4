package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.SamplingDraw;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.steps.TokenSampler.SamplerBuffers;
import org.inferometer.workload.Sampling;

/// Rows with the same logits on the device, and a sampler with a fixed number of thread blocks for each row.
final class SampledRows implements AutoCloseable {
    private static final int CHOICE_BYTES = 24;

    private final int rows;
    private final Arena arena = Arena.ofConfined();
    private final DeviceMemory memory;
    private final DeviceAddress choices;
    private final DeviceAddress tokens;
    private final SamplerBuffers buffers;
    private final TokenSampler sampler;
    private final DeviceStream stream = new DeviceStream(0);

    SampledRows(LoadedGpu gpu, float[] logits, int rows, int blocks) throws ExecutorException {
        this.rows = rows;
        memory = new DeviceMemory(gpu.device());
        long rowBytes = (long) Float.BYTES * logits.length;
        DeviceAddress all = memory.take(DeviceMemory.Owner.ACTIVATIONS, rows * rowBytes);
        for (int row = 0; row < rows; row++) {
            CudaFailure.require("cuMemcpyHtoD",
                    JCudaDriver.cuMemcpyHtoD(all.plus(row * rowBytes), Pointer.to(logits), rowBytes));
        }
        choices = memory.take(DeviceMemory.Owner.WORKSPACE, (long) rows * CHOICE_BYTES);
        tokens = memory.take(DeviceMemory.Owner.ACTIVATIONS, (long) rows * Integer.BYTES);
        buffers = SamplerBuffers.take(rows, (long) rows * blocks, logits.length, memory);
        sampler = new TokenSampler(gpu.module(), arena, new TokenSampler.Operands(all, choices, tokens, logits.length),
                buffers, count -> blocks);
    }

    /// A token of each row for this position.
    int[] sample(List<Sampling> ways, int position) {
        ByteBuffer choice = ByteBuffer.allocate(rows * CHOICE_BYTES).order(ByteOrder.nativeOrder());
        for (Sampling way : ways) {
            choice.putFloat((float) way.temperature()).putFloat((float) way.topP()).putInt(way.topK())
                    .putInt(way.greedy() ? 1 : 0).putDouble(new SamplingDraw(way.seed(), position).uniform());
        }
        CudaFailure.require("cuMemcpyHtoD",
                JCudaDriver.cuMemcpyHtoD(choices, Pointer.to(choice.array()), choice.capacity()));
        sampler.chooseLikeliest(stream, rows);
        sampler.draw(stream, rows);
        CudaFailure.require("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
        return integers(tokens, rows);
    }

    /// What must be zero after each launch.
    int[] counters() {
        int steps = rows * KernelTiles.SAMPLE_STEPS;
        int[] all = new int[rows + 3 * steps];
        System.arraycopy(integers(buffers.arrivals(), rows), 0, all, 0, rows);
        System.arraycopy(integers(buffers.stepCount(), steps), 0, all, rows, steps);
        System.arraycopy(integers(buffers.stepMass(), 2 * steps), 0, all, rows + steps, 2 * steps);
        return all;
    }

    private static int[] integers(DeviceAddress from, int count) {
        int[] values = new int[count];
        CudaFailure.require("cuMemcpyDtoH",
                JCudaDriver.cuMemcpyDtoH(Pointer.to(values), from, (long) Integer.BYTES * count));
        return values;
    }

    @Override
    public void close() {
        JCudaDriver.cuStreamDestroy(stream);
        memory.close();
        arena.close();
    }
}
