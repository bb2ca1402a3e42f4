/// The systems that a benchmark drives: their contract, their kinds, and a target that does nothing.
@org.jspecify.annotations.NullMarked
package org.inferometer.target;
