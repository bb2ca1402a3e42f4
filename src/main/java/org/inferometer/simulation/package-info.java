/// Predicts what an engine would do: how long steps would take, and what the schedulers would make of a load.
@org.jspecify.annotations.NullMarked
package org.inferometer.simulation;
