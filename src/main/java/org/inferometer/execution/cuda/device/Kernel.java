package org.inferometer.execution.cuda.device;

import org.jspecify.annotations.Nullable;

/// A kernel of the loaded module with its launch configuration.
///
/// @param threads per block
/// @param sharedBytes dynamic shared memory per block
/// @param blocksEach blocks that a multiprocessor holds at once
/// @param dependent launches it so that it may start while the kernel before ends; null for ordinary launches
public record Kernel(String name, DeviceFunction function, int threads, int sharedBytes, int blocksEach,
        @Nullable DependentLaunch dependent) {
    /// The same, launched when the kernel before has ended.
    public Kernel ordinary() {
        return new Kernel(name, function, threads, sharedBytes, blocksEach, null);
    }
}
