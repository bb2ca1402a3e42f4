/// Execution of steps: executors, their jobs and outcomes.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution;
