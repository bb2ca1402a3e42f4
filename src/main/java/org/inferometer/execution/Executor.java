package org.inferometer.execution;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.PoolId;

/// Runs steps of one engine on one backend.
///
/// `submit` returns at once. The lane's thread computes and calls `whenDone` exactly once, also after a failure. A lane runs
/// one job at a time and holds [#queuedSteps] steps behind it; submitting more is an error. Jobs end in the order in which they
/// were submitted. The caller closes the executor; closing waits for running jobs.
public interface Executor extends AutoCloseable {
    /// A description for people and records: "host, 2 threads, 512-bit vectors, deterministic".
    String description();

    /// The lanes, by index.
    List<Lane> lanes();

    /// The pools, by index.
    List<KvGeometry> pools();

    /// Positions of the largest step, including padding.
    int maxStepPositions();

    /// Steps that a computing lane holds behind its running one, 0 or 1; only those that [Step#repeats] it. Such an executor
    /// samples one token for each slice.
    default int queuedSteps() {
        return 0;
    }

    /// The devices, at least one, with the memory owned on each. Readable from any thread.
    List<ExecutorDevice> devices();

    /// Memory owned on all devices together. Allocates nothing for one device.
    default OwnedMemory memory() {
        List<ExecutorDevice> devices = devices();
        OwnedMemory sum = devices.getFirst().memory();
        for (int i = 1; i < devices.size(); i++) {
            sum = sum.plus(devices.get(i).memory());
        }
        return sum;
    }

    /// Starts a job on an idle lane: a transfer on a lane with the role TRANSFER, a step on any other. Or queues a step
    /// behind a running one.
    void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone);

    @Override
    void close();

    /// Allocated bytes of an executor, by owner.
    ///
    /// @param weightBytes mapped weights
    /// @param kvBytes KV pools
    /// @param activationBytes buffers sized by the rows of a step
    /// @param workspaceBytes all other allocations
    record OwnedMemory(long weightBytes, long kvBytes, long activationBytes, long workspaceBytes) {
        /// The sum of both.
        OwnedMemory plus(OwnedMemory other) {
            return new OwnedMemory(weightBytes + other.weightBytes, kvBytes + other.kvBytes,
                    activationBytes + other.activationBytes, workspaceBytes + other.workspaceBytes);
        }

        /// Bytes of all owners.
        public long totalBytes() {
            return weightBytes + kvBytes + activationBytes + workspaceBytes;
        }
    }

    /// A device of an executor.
    ///
    /// @param uuid of a GPU as nvidia-smi prints it ("GPU-..."); empty for the CPU
    /// @param memory owned by the executor
    record ExecutorDevice(String uuid, OwnedMemory memory) {
        /// The CPU.
        public static ExecutorDevice cpu(OwnedMemory memory) {
            return new ExecutorDevice("", memory);
        }

        /// The UUID if this is a GPU.
        public Optional<String> gpuUuid() {
            return uuid.isEmpty() ? Optional.empty() : Optional.of(uuid);
        }
    }

    /// The size of one KV pool.
    ///
    /// @param blockTokens positions in a block
    /// @param blocks blocks in the pool
    /// @param blockBytes bytes of a block over all layers
    record KvGeometry(PoolId pool, int blockTokens, int blocks, long blockBytes) {
        /// Bytes of the whole pool.
        public long bytes() {
            return blocks * blockBytes;
        }
    }
}
