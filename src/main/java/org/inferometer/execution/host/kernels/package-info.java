/// Kernels of the matrix products, norms and epilogues on the Vector API, and which of them an executor uses.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.kernels;
