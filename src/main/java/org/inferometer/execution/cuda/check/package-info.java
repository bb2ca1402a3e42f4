/// Whether the backend computes right, and how fast its kernels and steps are.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.check;
