/// How steps are computed: executors, lanes on streams, the forward pass, sampling.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.steps;
