package org.inferometer.workload;

/// How a load arrives, as far as figures and verdicts of its runs depend on it.
///
/// @param arriving what decides when a request is due
/// @param slots requests in flight of a closed loop, else 0
/// @param even whether rate and lengths are the same over the run by design
/// @param sessions whether later turns are due after the end of the turn before them
public record LoadKind(Arriving arriving, int slots, boolean even, boolean sessions) {
    /// Of files of other tools, which do not say it.
    public static final LoadKind UNKNOWN = new LoadKind(Arriving.UNKNOWN, 0, true, false);
    /// An open loop of a constant rate.
    public static final LoadKind OPEN_LOOP = new LoadKind(Arriving.OPEN, 0, true, false);
    /// All requests at once.
    public static final LoadKind OFFLINE = new LoadKind(Arriving.OFFLINE, 0, false, false);

    /// What decides when a request is due.
    public enum Arriving {
        UNKNOWN,
        /// The end of another one.
        CLOSED,
        /// The clock.
        OPEN,
        /// All are due at once: a load to saturation.
        OFFLINE
    }

    /// A closed loop of equal requests.
    public static LoadKind closed(int slots) {
        return new LoadKind(Arriving.CLOSED, slots, true, false);
    }

    /// The kind of a workload. Ramps, traces, prompt files and sessions may change over the run by design.
    public static LoadKind of(WorkloadSpec load) {
        Refinements refined = load.refinements();
        boolean sessions = refined.hasSessions();
        boolean drawn = load.promptFile() == null && refined.trace() == null && !sessions;
        return switch (load.arrivals()) {
            case ArrivalProcess.ClosedLoop(int slots) -> new LoadKind(Arriving.CLOSED, slots, drawn, sessions);
            case ArrivalProcess.Offline _ -> OFFLINE;
            case ArrivalProcess.Constant _,ArrivalProcess.Poisson _,ArrivalProcess.Gamma _ ->
                new LoadKind(Arriving.OPEN, 0, drawn, sessions);
            case ArrivalProcess.Ramp _,ArrivalProcess.Trace _ -> new LoadKind(Arriving.OPEN, 0, false, sessions);
        };
    }

    /// Whether requests arrive whatever the target does.
    public boolean open() {
        return arriving == Arriving.OPEN || arriving == Arriving.OFFLINE;
    }

    /// Whether the load is meant to exceed what the target can serve.
    public boolean saturating() {
        return arriving == Arriving.OFFLINE;
    }

    /// Whether the load, not the target, decides how much is served in a time, as long as the target keeps up.
    public boolean setsRates() {
        return arriving == Arriving.OPEN;
    }
}
