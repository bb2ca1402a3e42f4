/// What the machine did meanwhile: memory by owner, CPU, garbage collection, GPU.
@org.jspecify.annotations.NullMarked
package org.inferometer.telemetry;
