package org.inferometer.execution.cuda;

import jcuda.driver.CUfunction;

/// A kernel of the loaded module with its launch configuration.
///
/// @param threads per block
/// @param sharedBytes dynamic shared memory per block
record Kernel(String name, CUfunction function, int threads, int sharedBytes) {}
