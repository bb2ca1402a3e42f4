package org.inferometer.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.OneLine;
import org.inferometer.units.SizeProduct;
import org.inferometer.workload.WorkloadExtent;
import org.inferometer.workload.WorkloadSpec;

/// Tells events that bring an experiment nearer to its end from those that a machine could send for ever. One thread.
final class RemoteProgress {
    private static final double LEAST_BUILT = 0.01;
    /// Runs of up to 41 days advance by this share in an hour.
    private static final long LEAST_SHARE = 1000;
    /// Servers count tokens of their own for each of ours, and add a template to each prompt.
    private static final long SERVER_TOKENS = 4;
    private static final long TEMPLATE_TOKENS = 4096;

    private final SshHost host;
    private final ExperimentSpec asked;
    private final Set<String> built = new HashSet<>();
    private double fraction;
    private long runs;
    private int phase = -1;
    private long done;
    private boolean started;
    private boolean ended;
    private boolean finished;
    private final long mostRequests;
    private final long mostTokens;

    RemoteProgress(SshHost host, ExperimentSpec asked) {
        this.host = host;
        this.asked = asked;
        long requests = 0;
        long tokens = 0;
        for (WorkloadSpec workload : asked.workloads()) {
            long most = mostRequests(workload);
            requests = Math.max(requests, most);
            tokens = Math.max(tokens, SizeProduct.of(most, mostTokens(workload)).orElse(Long.MAX_VALUE));
        }
        mostRequests = requests;
        mostTokens = tokens;
    }

    /// [Long#MAX_VALUE] where a time or a file decides.
    private long mostRequests(WorkloadSpec workload) {
        return workload.requests() == 0 ? Long.MAX_VALUE
                : (long) Math.max(workload.requests(), asked.warmUpRequests()) * workload.refinements().answers();
    }

    private static long mostTokens(WorkloadSpec workload) {
        try {
            boolean ofFile = workload.promptFile() != null || workload.refinements().trace() != null;
            return ofFile ? Long.MAX_VALUE
                    : SERVER_TOKENS * WorkloadExtent.of(workload).longestTotal() + TEMPLATE_TOKENS;
        } catch (IOException e) {
            throw new UncheckedIOException("A workload without a file read one", e);
        }
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
                finished = false;
                yield true;
            }
            case RemoteEvent.Frame frame -> advances(frame.frame());
            case RemoteEvent.Started _ -> {
                requireFirst(started, "began the experiment");
                started = true;
                yield true;
            }
            case RemoteEvent.Ended _ -> {
                requireStarted();
                requireFirst(ended, "ended the experiment");
                ended = true;
                yield true;
            }
            case RemoteEvent.Bundle _ -> {
                requireStarted();
                yield true;
            }
            // These end the connection.
            case RemoteEvent.Hello _,RemoteEvent.Looked _,RemoteEvent.Refused _,RemoteEvent.Failed _ -> true;
        };
    }

    private void requireStarted() throws IOException {
        if (!started) {
            throw new IOException(host.text() + " sent the end of an experiment that it did not begin.");
        }
    }

    private void requireFirst(boolean before, String what) throws IOException {
        if (before) {
            throw new IOException(host.text() + " " + what + " twice.");
        }
    }

    private boolean advances(RemoteEvent.Building building) throws IOException {
        String engine = OneLine.of(building.engine());
        if (!asked.engines().contains(building.engine())) {
            throw new IOException(host.text() + " builds " + engine + ", which the experiment does not use.");
        }
        if (!(building.fraction() >= 0 && building.fraction() <= 1)) {
            throw new IOException(host.text() + " sent an impossible progress of the build of " + engine + ".");
        }
        boolean next = built.add(building.engine());
        boolean further = next || building.fraction() >= fraction + LEAST_BUILT;
        fraction = further ? building.fraction() : fraction;
        return further;
    }

    private boolean advances(WorkerFrame frame) throws IOException {
        return switch (frame) {
            case WorkerFrame.PhaseStarted started -> {
                boolean later = started.phase().ordinal() > phase;
                phase = Math.max(phase, started.phase().ordinal());
                done = later ? 0 : done;
                yield later;
            }
            case WorkerFrame.Live live -> {
                requireLikely(live);
                long now = live.phaseDone() + live.promptTokens() + live.outputTokens();
                boolean more = now > done + done / LEAST_SHARE;
                done = more ? now : done;
                yield more;
            }
            case WorkerFrame.Finished _ -> {
                if (runs == 0) {
                    throw new IOException(host.text() + " ended a run that it did not begin.");
                }
                requireFirst(finished, "ended a run");
                finished = true;
                yield true;
            }
            case WorkerFrame.Log _ -> false;
        };
    }

    private void requireLikely(WorkerFrame.Live live) throws IOException {
        long most = Math.min(mostTokens, Long.MAX_VALUE / 4);
        if (live.phaseDone() < 0 || live.phaseDone() > mostRequests || live.promptTokens() < 0
                || live.promptTokens() > most || live.outputTokens() < 0 || live.outputTokens() > most) {
            throw new IOException(host.text() + " counts more requests or tokens than the experiment has.");
        }
    }
}
