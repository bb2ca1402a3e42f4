/// Compares figures of two sides: differences with their intervals, margins, limits of a gate.
@org.jspecify.annotations.NullMarked
package org.inferometer.measurement.comparison;
