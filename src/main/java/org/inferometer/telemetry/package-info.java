/// Samples of the machine during a run: memory by owner, CPU, garbage collection, GPU.
@org.jspecify.annotations.NullMarked
package org.inferometer.telemetry;
