/// Workloads: specification, prompts, arrivals, and the drawing of all requests before a run.
@org.jspecify.annotations.NullMarked
package org.inferometer.workload;
