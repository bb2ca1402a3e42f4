/// Which GPU is used, and with which options: its driver, memory and streams; which kernels the driver loads, which tiles and
/// arguments they have, how one is launched.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.device;
