package org.inferometer.execution;

import java.util.List;
import java.util.function.Consumer;
import org.inferometer.scheduling.Lane;

/// Runs steps of one engine on one backend.
///
/// `submit` and `transfer` return at once; the lane's own thread computes and calls `whenDone` exactly once, also on failure. A lane runs one
/// step at a time: submitting to a busy lane is an error. Whoever opened the executor closes it; closing waits for running steps.
public interface Executor extends AutoCloseable {
    /// A description for people and records: "host, 2 threads, 512-bit vectors, deterministic".
    String description();

    /// The lanes, by index.
    List<Lane> lanes();

    /// The pools, by index.
    List<KvGeometry> pools();

    /// The most positions, padding included, a step may have.
    int maxStepPositions();

    /// The devices that compute, one at least, with the memory owned on each. Readable from any thread.
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

    /// Starts a step on an idle lane.
    void submit(Lane lane, Step step, Consumer<StepOutcome> whenDone);

    /// Starts a copy of keys and values on an idle lane whose role is TRANSFER; its outcome is [StepOutcome.Transferred] or a failure.
    void transfer(Lane lane, KvTransfer transfer, Consumer<StepOutcome> whenDone);

    @Override
    void close();
}
