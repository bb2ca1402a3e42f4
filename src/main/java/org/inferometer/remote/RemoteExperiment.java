package org.inferometer.remote;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import org.inferometer.units.ShellWord;
import org.jspecify.annotations.Nullable;

/// An experiment that runs on another machine. Its record is brought here when it has ended.
final class RemoteExperiment implements RunningExperiment {
    private final SshHost host;
    private final SshConnection connection;
    private final RemoteProgress progress;
    private final SshConnection.Deadline silence;
    private final SshConnection.Deadline stop;
    private final Path results;
    private final ExperimentListener listener;
    private final Clock clock;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable ExperimentManifest manifest;
    private volatile @Nullable Path brought;
    private @Nullable RunPlan plan;

    RemoteExperiment(SshHost host, SshConnection connection, ExperimentSpec spec, Path results,
            ExperimentListener listener, Clock clock) {
        this.host = host;
        this.connection = connection;
        this.progress = new RemoteProgress(host, spec);
        this.silence = connection.new Deadline();
        this.stop = connection.new Deadline();
        this.results = results;
        this.listener = listener;
        this.clock = clock;
    }

    /// Reads until the experiment is planned there, then goes on on a thread of its own.
    ///
    /// @throws PlanException with the faults that the other machine found
    void awaitStart() throws IOException, PlanException {
        awaitProgress();
        try {
            while (manifest == null) {
                RemoteEvent event = connection.next().orElseThrow(() -> new IOException(connection.failure()));
                if (event instanceof RemoteEvent.Refused refused) {
                    throw new PlanException(refused.faults());
                }
                take(event);
            }
        } finally {
            if (manifest == null) {
                silence.close();
            }
        }
        Thread.ofPlatform().name("remote-experiment").daemon().start(this::follow);
    }

    private void follow() {
        String failure = "The record was not understood.";
        boolean complete = false;
        boolean fetchable = true;
        try (connection; silence; stop) {
            Optional<RemoteEvent> event = connection.next();
            while (event.isPresent() && !take(event.get())) {
                event = connection.next();
            }
            complete = event.isPresent();
            if (!complete) {
                failure = connection.failure();
            }
        } catch (RemoteResults.RefusedRecord | ResultFormatException e) {
            failure = FileFault.sentence(e);
            fetchable = false;
        } catch (IOException e) {
            failure = FileFault.sentence(e);
        } finally {
            // Whatever was thrown: without its record an experiment is not complete.
            if (!complete && brought == null) {
                lost(failure, fetchable);
            }
            try {
                listener.ended(current());
            } finally {
                over.countDown();
            }
        }
    }

    /// Whether the record has come.
    private boolean take(RemoteEvent event) throws IOException {
        watch(event);
        switch (event) {
            case RemoteEvent.Building building -> listener.building(building.engine(), building.fraction());
            case RemoteEvent.Started started -> {
                manifest = named(started.manifest());
                listener.started(started.manifest());
            }
            case RemoteEvent.RunStarted started -> {
                plan = started.plan();
                listener.runStarted(started.plan());
            }
            case RemoteEvent.Frame frame -> {
                RunPlan running = plan;
                if (running != null) {
                    listener.frame(running, frame.frame());
                }
            }
            // Its end counts when its record is here.
            case RemoteEvent.Ended ended -> {
                if (!ended.manifest().id().equals(current().id())) {
                    throw new IOException(host.text() + " ended another experiment than it began.");
                }
            }
            case RemoteEvent.Bundle bundle -> {
                bring(bundle);
                return true;
            }
            case RemoteEvent.Failed failed -> throw new IOException(host.text() + ": " + failed.sentence());
            case RemoteEvent.Looked looked -> throw new IOException(host.text() + " told what it has, unasked.");
            case RemoteEvent.Hello hello -> throw new IOException(host.text() + " began twice.");
            case RemoteEvent.Refused refused -> throw new IOException(host.text() + " refused what it had begun.");
        }
        return false;
    }

    /// The other side is not trusted: what it sends must show progress.
    private void watch(RemoteEvent event) throws IOException {
        if (!progress.advances(event)) {
            return;
        }
        if (event instanceof RemoteEvent.Bundle) {
            silence.close();
            stop.close();
        } else if (event instanceof RemoteEvent.Building building && building.fraction() < 1) {
            Duration limit = connection.limits().build();
            silence.begin(limit, "did not advance the build of " + OneLine.of(building.engine()) + " by 1 % in "
                    + limit.toSeconds() + " s.");
        } else {
            awaitProgress();
        }
    }

    private void awaitProgress() {
        Duration limit = connection.limits().progress();
        silence.begin(limit, "made no progress in " + limit.toMinutes() + " min.");
    }

    /// The other side is not trusted: its experiment's name becomes a folder here.
    private ExperimentManifest named(ExperimentManifest sent) throws IOException {
        if (!sent.id().matches("[A-Za-z0-9_+-][A-Za-z0-9._+-]*")) {
            throw new IOException(host.text() + " sent an experiment whose name is no name of a folder.");
        }
        return sent;
    }

    private void bring(RemoteEvent.Bundle bundle) throws IOException {
        String id = current().id();
        Path folder = new RemoteResults(results).receive(host, connection, bundle, id, sent -> sent.id().equals(id));
        manifest = ResultLibrary.manifest(folder);
        brought = folder;
        for (RunRecord run : new ResultLibrary(results).open(folder).runs()) {
            listener.runEnded(run.manifest().plan(), run);
        }
    }

    private void lost(String why, boolean fetchable) {
        ExperimentManifest known = current();
        // The code of an ssh that was killed here is that of a program that was killed there.
        String remedy = " Unless it was killed there, it goes on to its end. Fetch its record then: "
                + "inferometer results fetch " + ShellWord.quoted(host.written()) + " " + known.id();
        manifest = known.failed(fetchable ? why + remedy : why, clock.wall());
    }

    private ExperimentManifest current() {
        ExperimentManifest known = manifest;
        if (known == null) {
            throw new IllegalStateException("The experiment has not begun");
        }
        return known;
    }

    @Override
    public Path folder() {
        Path here = brought;
        return here != null ? here : results.resolve(current().id());
    }

    @Override
    public void cancel() {
        Duration limit = connection.limits().stop();
        stop.begin(limit, "did not end within " + limit.toSeconds() + " s of the stop.");
        connection.cancel();
    }

    @Override
    public ExperimentManifest await() throws InterruptedException {
        over.await();
        return current();
    }
}
