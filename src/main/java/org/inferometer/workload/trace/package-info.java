/// Recorded traffic in the formats it is published in, read as a stream and with bounds.
@org.jspecify.annotations.NullMarked
package org.inferometer.workload.trace;
