/// How steps are computed on the CPU: executors, lanes, the forward pass, the KV cache and attention over it, sampling.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.steps;
