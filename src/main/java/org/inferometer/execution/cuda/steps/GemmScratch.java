package org.inferometer.execution.cuda.steps;

import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;

/// A lane's memory for products that cuBLASLt computes.
///
/// @param widened BF16 `[outputs of a slice][padded inputs]`
/// @param sums FP32 `[tokens][outputs of a slice]`
/// @param workspace of the library
public record GemmScratch(DeviceAddress widened, DeviceAddress sums, DeviceAddress workspace) {
    /// Allocates it.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    public static GemmScratch take(GemmSizes sizes, DeviceMemory memory) throws ExecutorException {
        DeviceMemory.Owner owner = DeviceMemory.Owner.WORKSPACE;
        return new GemmScratch(memory.take(owner, sizes.widenedBytes()), memory.take(owner, sizes.sumBytes()),
                memory.take(owner, GemmSizes.WORKSPACE_BYTES));
    }
}
