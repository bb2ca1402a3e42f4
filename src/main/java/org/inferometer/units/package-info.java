/// Which quantities, which clock, which randomness, when a thread has ended. Imports no other room.
@org.jspecify.annotations.NullMarked
package org.inferometer.units;
