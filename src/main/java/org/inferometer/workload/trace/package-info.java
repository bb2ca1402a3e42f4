/// Reads recorded traffic in its published formats, as a stream and with bounds.
@org.jspecify.annotations.NullMarked
package org.inferometer.workload.trace;
