package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.workload.WorkloadSpec;

/// One combination of an experiment: what is measured, and the workload that it gets.
public record Cell(@JsonProperty("subject") Subject subject, @JsonProperty("workload") WorkloadSpec workload) {
    /// A name for people and files: "tiny-int4 · continuous · short".
    public String label() {
        return subject.label() + " · " + workload.name();
    }
}
