package org.inferometer.execution.cuda.steps;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.PinnedMemory;

/// What a step uses from its launch until the host has read its tokens. A lane has a slot for its running step and one for each
/// that it queues, and uses them in turn. Graphs have fixed addresses, so each slot has its own.
///
/// @param large the step table of any step, read by `largePass`
/// @param small the step table of recorded decode steps
/// @param chosen token ids `[sampled]`, written by the sampler
/// @param begun reached by the device before the step
/// @param ended reached by the device after it
record StepSlot(DeviceStepTable large, CudaForwardPass largePass, DeviceStepTable small, DecodeGraphs recorded,
        PinnedMemory chosen, DeviceStream.Event begun, DeviceStream.Event ended) {
    /// The capacity of `large`.
    static DeviceStepTable.Capacity largeTable(ExecutorSizes sizes, CudaLaneBuffers.Sizes buffers, int blockTokens) {
        long blocks = (long) sizes.maxSampledRows() * Math.ceilDiv(sizes.maxSequencePositions(), blockTokens);
        return DeviceStepTable.Capacity.of(buffers.rows(), buffers.sampled(), (int) Math.min(blocks, 1 << 28),
                buffers.tiling());
    }

    /// The capacity of `small`.
    static DeviceStepTable.Capacity smallTable(ExecutorSizes sizes, CudaLaneBuffers.Sizes buffers, int blockTokens) {
        int recorded = CudaLaneBuffers.Sizes.recordedRows(sizes);
        return DeviceStepTable.Capacity.of(recorded, recorded, largeTable(sizes, buffers, blockTokens).blocks(),
                buffers.tiling());
    }

    /// Bytes of the step tables on the device.
    static long tableBytes(ExecutorSizes sizes, CudaLaneBuffers.Sizes buffers, int blockTokens) {
        return largeTable(sizes, buffers, blockTokens).bytes() + smallTable(sizes, buffers, blockTokens).bytes();
    }

    /// Writes a step table and enqueues its kernels.
    ///
    /// @param recordedRows rows of the largest recorded step, 0 without graphs
    /// @throws ExecutorException if the step exceeds the step tables
    void launch(DeviceStream stream, Step step, int recordedRows) throws ExecutorException {
        boolean wholeGraph = step.rows() <= recordedRows && onlyDecodes(step);
        DeviceStepTable table = wholeGraph ? small : large;
        int padded = wholeGraph ? DecodeGraphs.padded(step.rows()) : 0;
        if (!table.fill(step, padded, padded)) {
            throw new ExecutorException("Step " + step.number() + " has " + step.slices().size() + " slices and "
                    + step.rows() + " positions, which exceeds the executor's step tables.");
        }
        stream.record(begun);
        if (wholeGraph) {
            recorded.launch(stream, padded);
        } else {
            largePass.launch(stream);
            largePass.draw(stream);
        }
        stream.record(ended);
    }

    private static boolean onlyDecodes(Step step) {
        List<StepSlice> slices = step.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.get(i).tokens().length != 1) {
                return false;
            }
        }
        return true;
    }

    /// The first sampled tokens, after the device has finished.
    ///
    /// The host may read mapped memory that kernels write only after it has synchronised with their stream or an event
    /// behind them (CUDA C++ Programming Guide, "Mapped Memory"). The kernels need no fence: what a grid wrote is visible
    /// to the host once its end was waited for.
    int[] tokens(int count) {
        int[] tokens = new int[count];
        for (int i = 0; i < count; i++) {
            tokens[i] = chosen.segment().getAtIndex(ValueLayout.JAVA_INT, i);
        }
        return tokens;
    }

    /// Device time of the step, after the device has finished.
    ///
    /// @param elapsed receives milliseconds
    long kernelNanos(float[] elapsed) {
        return (long) (ended.millisecondsSince(begun, elapsed) * 1e6);
    }
}
