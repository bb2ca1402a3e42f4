/// What this machine has and what was asked of it: options, cores, memory, vectors, threads.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.machine;
