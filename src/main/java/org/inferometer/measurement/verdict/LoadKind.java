package org.inferometer.measurement.verdict;

import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// How a load arrives, as far as the verdict of its runs depends on it.
///
/// @param open whether requests arrive whatever the target does
/// @param saturating whether the load is meant to exceed what the target can serve
/// @param even whether rate and lengths are the same over the run by design
public record LoadKind(boolean open, boolean saturating, boolean even) {
    /// A closed loop of equal requests.
    public static final LoadKind CLOSED_LOOP = new LoadKind(false, false, true);
    /// An open loop of a constant rate.
    public static final LoadKind OPEN_LOOP = new LoadKind(true, false, true);

    /// The kind of a workload. Ramps, traces, prompt files and sessions may change over the run by design.
    public static LoadKind of(WorkloadSpec load) {
        boolean drawn = load.promptFile() == null && load.refinements().trace() == null
                && load.refinements().sessions() == null;
        return switch (load.arrivals()) {
            case ArrivalProcess.ClosedLoop _ -> new LoadKind(false, false, drawn);
            case ArrivalProcess.Offline _ -> new LoadKind(true, true, false);
            case ArrivalProcess.Constant _,ArrivalProcess.Poisson _,ArrivalProcess.Gamma _ ->
                new LoadKind(true, false, drawn);
            case ArrivalProcess.Ramp _,ArrivalProcess.Trace _ -> new LoadKind(true, false, false);
        };
    }
}
