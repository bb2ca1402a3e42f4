/// Which quantities, which clock, which randomness. Imports no other room.
@org.jspecify.annotations.NullMarked
package org.inferometer.units;
