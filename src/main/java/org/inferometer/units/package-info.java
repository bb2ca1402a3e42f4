/// Quantities, clocks, randomness, and small tools for text, files and threads. Imports no other room.
@org.jspecify.annotations.NullMarked
package org.inferometer.units;
