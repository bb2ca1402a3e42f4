/// How one step is computed: the executor's face, its steps and outcomes.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution;
