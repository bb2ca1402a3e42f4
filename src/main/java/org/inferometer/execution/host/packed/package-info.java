/// Weights in the layout that the kernels read, in memory or mapped from a file beside the engine.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.packed;
