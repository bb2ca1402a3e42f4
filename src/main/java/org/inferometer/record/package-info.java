/// Resolved plans and observed outcomes of runs and experiments, as values.
@org.jspecify.annotations.NullMarked
package org.inferometer.record;
