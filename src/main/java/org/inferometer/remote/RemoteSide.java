package org.inferometer.remote;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunPlan;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;

/// The side that runs: takes one order on its input, answers with events, and sends the record as a bundle.
///
/// A lost connection does not stop the experiment: its record stays here and can be fetched.
///
/// @param program name and version
/// @param offer what experiments can use here; takes about a second
public record RemoteSide(BenchmarkService service, Path results, String program, Supplier<RemoteMachine> offer,
        Clock clock) {
    static final String LATEST = "latest";

    /// Serves one order; returns when it is done.
    public void serve(InputStream input, OutputStream output) throws InterruptedException {
        BufferedInputStream in = new BufferedInputStream(input);
        BufferedOutputStream out = new BufferedOutputStream(output);
        Optional<Path> record = Optional.empty();
        try (EventQueue events = new EventQueue(out)) {
            events.add(new RemoteEvent.Hello(RemoteProtocol.VERSION, program));
            try {
                record = served(in, events);
            } catch (IOException e) {
                events.add(new RemoteEvent.Failed(FileFault.sentence(e)));
            }
        }
        if (record.isPresent()) {
            send(record.get(), out);
        }
    }

    private Optional<Path> served(InputStream in, EventQueue events) throws IOException, InterruptedException {
        Optional<String> line = RemoteProtocol.readLine(in);
        if (line.isEmpty()) {
            return Optional.empty();
        }
        RemoteOrder order = RemoteProtocol.order(line.get());
        if (order.look()) {
            events.add(new RemoteEvent.Looked(offer.get()));
            return Optional.empty();
        }
        String fetched = order.fetch();
        if (fetched != null) {
            return Optional.of(found(fetched));
        }
        ExperimentSpec spec = order.run();
        if (spec == null) {
            throw new IOException("The order names no experiment, no result and no look.");
        }
        return run(spec, in, events);
    }

    private Optional<Path> run(ExperimentSpec spec, InputStream in, EventQueue events)
            throws IOException, InterruptedException {
        RunningExperiment running;
        try {
            running = service.start(spec, new Relay(events));
        } catch (PlanException e) {
            events.add(new RemoteEvent.Refused(e.faults()));
            return Optional.empty();
        }
        Thread.ofPlatform().name("remote-orders").daemon().start(() -> listen(in, running));
        ExperimentManifest ended = running.await();
        events.add(new RemoteEvent.Ended(ended));
        return Files.isDirectory(running.folder()) ? Optional.of(running.folder()) : Optional.empty();
    }

    private static void listen(InputStream in, RunningExperiment running) {
        try {
            for (Optional<String> line = RemoteProtocol.readLine(in); line.isPresent(); line =
                    RemoteProtocol.readLine(in)) {
                if (line.get().equals(RemoteProtocol.CANCEL)) {
                    running.cancel();
                }
            }
        } catch (IOException e) {
            System.getLogger(RemoteSide.class.getName()).log(System.Logger.Level.DEBUG, "The connection is lost", e);
        }
    }

    private Path found(String id) throws IOException {
        List<ResultLibrary.Entry> entries = new ResultLibrary(results).list();
        return entries.stream().filter(entry -> entry.manifest().isPresent())
                .filter(entry -> id.equals(LATEST) || String.valueOf(entry.folder().getFileName()).equals(id))
                .map(ResultLibrary.Entry::folder).max(Path::compareTo)
                .orElseThrow(() -> new IOException("There is no result " + id + " on that machine."));
    }

    /// The whole record, as it is: the person who fetches it owns it.
    private void send(Path folder, OutputStream out) {
        try {
            // After a kill, `results prune` finds it. Nobody else can enter a temporary folder.
            try (UnfinishedFolder unfinished = UnfinishedFolder.beside(folder)) {
                Path bundle =
                        Files.createTempDirectory(unfinished.content(), "").resolve("record" + BundleWriter.ENDING);
                ExperimentRecord record = new ResultLibrary(results).open(folder);
                BundleWriter writer = new BundleWriter(program, Optional.empty());
                writer.write(new BundleWriter.Contents(List.of(record), BundleView.of(writer.folders(List.of(folder))),
                        "", new byte[0]), clock.wall(), bundle);
                out.write(RemoteProtocol.line(new RemoteEvent.Bundle(Files.size(bundle))));
                Files.copy(bundle, out);
                out.flush();
            }
        } catch (IOException e) {
            explain(e, out);
        }
    }

    private static void explain(IOException failure, OutputStream out) {
        try {
            out.write(RemoteProtocol.line(new RemoteEvent.Failed(FileFault.sentence(failure))));
            out.flush();
        } catch (IOException lost) {
            failure.addSuppressed(lost);
            System.getLogger(RemoteSide.class.getName()).log(System.Logger.Level.WARNING, "The record was not sent",
                    failure);
        }
    }

    /// Passes the progress of the experiment on.
    private record Relay(EventQueue events) implements ExperimentListener {
        @Override
        public void building(String engine, double fraction) {
            events.add(new RemoteEvent.Building(engine, fraction));
        }

        @Override
        public void started(ExperimentManifest manifest) {
            events.add(new RemoteEvent.Started(manifest));
        }

        @Override
        public void runStarted(RunPlan plan) {
            events.add(new RemoteEvent.RunStarted(plan));
        }

        @Override
        public void frame(RunPlan plan, WorkerFrame frame) {
            events.add(new RemoteEvent.Frame(frame));
        }
    }
}
