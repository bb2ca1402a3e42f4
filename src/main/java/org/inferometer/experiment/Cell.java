package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.workload.WorkloadSpec;

/// One combination of an experiment: what is measured, and the workload that it gets.
public record Cell(@JsonProperty("subject") Subject subject, @JsonProperty("workload") WorkloadSpec workload) {
    /// A name for people: "tiny-int4 · continuous · short", with backend and limits where they are not the usual ones. Beside the other
    /// cells of an experiment use [ExperimentSpec#label].
    public String label() {
        return subject.label() + " · " + workload.name();
    }
}
