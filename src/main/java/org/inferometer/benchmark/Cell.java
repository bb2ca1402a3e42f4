package org.inferometer.benchmark;

import org.inferometer.options.Selection;
import org.inferometer.workload.WorkloadSpec;

/// One combination of the matrix: an engine under a scheduler with a workload on a backend.
public record Cell(String engine, Selection scheduler, WorkloadSpec workload, Selection backend) {
    /// A name for people and files: "tiny-int4 · continuous · short".
    public String label() {
        return engine + " · " + scheduler + " · " + workload.name();
    }
}
