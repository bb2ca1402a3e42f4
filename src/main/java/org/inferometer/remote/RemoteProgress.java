package org.inferometer.remote;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.OneLine;

/// Tells events that bring an experiment nearer to its end from those that a machine could send for ever. One thread.
final class RemoteProgress {
    private static final double LEAST_BUILT = 0.01;

    private final SshHost host;
    private final ExperimentSpec asked;
    private final Set<String> built = new HashSet<>();
    private double fraction;
    private long runs;
    private int phase = -1;
    private long done;

    RemoteProgress(SshHost host, ExperimentSpec asked) {
        this.host = host;
        this.asked = asked;
    }

    /// Whether the event shows progress.
    ///
    /// @throws IOException in one sentence if the experiment cannot have it
    boolean advances(RemoteEvent event) throws IOException {
        return switch (event) {
            case RemoteEvent.Building building -> advances(building);
            case RemoteEvent.RunStarted _ -> {
                long most = asked.search() ? ExperimentSpec.MOST_RUNS : asked.cellCount() * asked.mostRuns();
                if (++runs > most) {
                    throw new IOException(host.text() + " began more than the " + most + " runs of the experiment.");
                }
                phase = -1;
                done = 0;
                yield true;
            }
            case RemoteEvent.Frame frame -> advances(frame.frame());
            default -> true;
        };
    }

    private boolean advances(RemoteEvent.Building building) throws IOException {
        if (!asked.engines().contains(building.engine()) || !(building.fraction() >= 0 && building.fraction() <= 1)) {
            throw new IOException(
                    host.text() + " builds " + OneLine.of(building.engine()) + ", which the experiment does not use.");
        }
        boolean next = built.add(building.engine());
        boolean further = next || building.fraction() >= fraction + LEAST_BUILT;
        fraction = further ? building.fraction() : fraction;
        return further;
    }

    private boolean advances(WorkerFrame frame) {
        return switch (frame) {
            case WorkerFrame.PhaseStarted started -> {
                boolean later = started.phase().ordinal() > phase;
                phase = Math.max(phase, started.phase().ordinal());
                done = later ? 0 : done;
                yield later;
            }
            case WorkerFrame.Live live -> {
                long now = live.phaseDone() + live.promptTokens() + live.outputTokens();
                boolean more = now > done;
                done = Math.max(done, now);
                yield more;
            }
            case WorkerFrame.Finished _ -> true;
            case WorkerFrame.Log _ -> false;
        };
    }
}
