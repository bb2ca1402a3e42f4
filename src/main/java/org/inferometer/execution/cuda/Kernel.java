package org.inferometer.execution.cuda;

import jcuda.driver.CUfunction;

/// A kernel of the loaded module, with the block it is launched with.
///
/// @param threads of a block
/// @param sharedBytes dynamic shared memory of a block
record Kernel(String name, CUfunction function, int threads, int sharedBytes) {}
