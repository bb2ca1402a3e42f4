package org.inferometer.execution.cuda;

import jcuda.driver.CUfunction;

/// A kernel of the loaded module with its launch configuration.
///
/// @param threads per block
/// @param sharedBytes dynamic shared memory per block
/// @param blocksEach blocks that a multiprocessor holds at once
record Kernel(String name, CUfunction function, int threads, int sharedBytes, int blocksEach) {}
