/// The CPU backend: opens executors, computes steps on lanes of threads, checks its results against the reference pass.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host;
