/// What was resolved and what happened in runs and experiments, as values.
@org.jspecify.annotations.NullMarked
package org.inferometer.record;
