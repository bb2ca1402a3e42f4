/// Quantities, clocks, randomness, and small tools for text and threads. Imports no other room.
@org.jspecify.annotations.NullMarked
package org.inferometer.units;
