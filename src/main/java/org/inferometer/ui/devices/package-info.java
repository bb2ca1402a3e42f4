/// The Devices view: CPU and GPUs, their readings, and readiness to measure.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.devices;
