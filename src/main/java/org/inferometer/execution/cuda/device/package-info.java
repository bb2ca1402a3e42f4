/// Which GPU is used, and with which options: its driver, memory and streams.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.device;
