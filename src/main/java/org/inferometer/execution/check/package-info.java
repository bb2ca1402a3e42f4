/// What serves `selfcheck`: whether the backends compute right, by a plain reference pass over random models, and how fast
/// their kernels and steps are.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.check;
