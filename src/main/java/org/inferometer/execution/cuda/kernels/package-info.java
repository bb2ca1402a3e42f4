/// Which kernels the driver loads, which tiles and arguments they have, how one is launched.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.kernels;
