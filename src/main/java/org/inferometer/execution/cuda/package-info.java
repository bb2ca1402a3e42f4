/// The GPU backend: NVIDIA GPUs through JCuda.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda;
