package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// One run with everything resolved; the worker needs nothing else.
///
/// @param folder folder of the record, relative to the workspace where it lies in it; in anonymized records its last name
/// @param goal limits and price that the run is judged by
/// @param ceiling measured limits of the load generator on this machine; absent where they were not measured
public record RunPlan(@JsonProperty("index") RunIndex index, @JsonProperty("subject") PlannedSubject subject,
        @JsonProperty("workload") WorkloadSpec workload, @JsonProperty("folder") String folder,
        @JsonProperty("procedure") Procedure procedure, @JsonProperty("goal") DeploymentGoal goal,
        @JsonProperty("ceiling") @Nullable HarnessCeiling ceiling) {

    /// The place of a run in its experiment. All counts start at 0.
    ///
    /// @param experiment id of the experiment, the name of its folder
    /// @param run in the order of execution
    /// @param cell index in the experiment's matrix
    /// @param repetition of the cell
    public record RunIndex(@JsonProperty("experiment") String experiment, @JsonProperty("run") int run,
            @JsonProperty("cell") int cell, @JsonProperty("repetition") int repetition) {}

    /// How the run is measured.
    ///
    /// @param workloadSeed seed of prompts, lengths and arrivals: equal over the cells of one repetition
    /// @param keepText whether prompts and answers are recorded as text
    public record Procedure(@JsonProperty("warmUpRequests") int warmUpRequests,
            @JsonProperty("workloadSeed") long workloadSeed, @JsonProperty("sampleEveryMillis") int sampleEveryMillis,
            @JsonProperty("keepText") boolean keepText) {
        /// Without texts.
        public Procedure(int warmUpRequests, long workloadSeed, int sampleEveryMillis) {
            this(warmUpRequests, workloadSeed, sampleEveryMillis, false);
        }
    }

    /// The cell of the experiment that the run belongs to.
    public Cell cell() {
        return new Cell(subject.subject(), workload);
    }

    /// The name of the run's folder in its experiment's folder.
    public String folderName() {
        return folder.substring(1 + Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\')));
    }

    /// The same plan with other folders.
    public RunPlan in(PlannedSubject moved, String other) {
        return new RunPlan(index, moved, workload, other, procedure, goal, ceiling);
    }

    /// The same plan with folders relative to a workspace where they lie in it.
    public RunPlan relativeTo(Path workspace) {
        PlannedSubject moved = switch (subject) {
            case PlannedSubject.PlannedEngine engine -> engine.in(relative(workspace, engine.engineFolder()));
            case PlannedSubject.PlannedTarget target -> target;
        };
        return in(moved, relative(workspace, folder));
    }

    private static String relative(Path workspace, String folder) {
        Path root = workspace.toAbsolutePath().normalize();
        Path absolute = Path.of(folder).toAbsolutePath().normalize();
        return absolute.startsWith(root) ? root.relativize(absolute).toString().replace('\\', '/') : folder;
    }

    /// The same plan on a machine with these limits of the load generator.
    public RunPlan withCeiling(@Nullable HarnessCeiling measured) {
        return new RunPlan(index, subject, workload, folder, procedure, goal, measured);
    }
}
