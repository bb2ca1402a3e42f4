package org.inferometer.selfcheck;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.Subject;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The smallest engine under one scheduler on one thread, with the same few requests in flight all the time.
public final class SmallExperiment {
    private static final String ENGINE = "tiny-int4";
    private static final int IN_FLIGHT = 4;

    private SmallExperiment() {}

    /// With the number of requests of the preset *quick*.
    static ExperimentSpec spec(String name, int runs) {
        ExperimentSpec quick = new Presets().find("quick");
        WorkloadSpec load = quick.workloads().getFirst().withArrivals(new ArrivalProcess.ClosedLoop(IN_FLIGHT));
        List<Subject> smallest = quick.subjects().stream()
                .filter(each -> each.model().equals(Optional.of(ENGINE)) && each.system().equals("continuous"))
                .toList();
        return quick.named(name).withSubjects(smallest).withWorkloads(List.of(load)).withRuns(runs);
    }

    /// One run of many requests.
    public static ExperimentSpec spec(String name, int runs, int requests) {
        ExperimentSpec small = spec(name, runs);
        return small.withWorkloads(List.of(small.workloads().getFirst().withRequests(requests)));
    }
}
