/// Asked, resolved, happened: specification, plan and record; load generator, repetitions, worker process.
@org.jspecify.annotations.NullMarked
package org.inferometer.benchmark;
