package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.results.ManifestJson;
import org.inferometer.suite.figures.AnswerComparison;
import org.inferometer.suite.figures.AnswerReference;
import org.inferometer.suite.figures.SuiteFigures;
import org.inferometer.suite.figures.SuiteFigures.EndedTest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.TestSite.TestEnd;
import org.inferometer.units.AnchoredClock;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;

/// Runs the tests of a session one after another. One thread runs; any thread may cancel.
public final class SuiteRunner {
    private static final String ANSWERS = "answers.json";

    private final SessionFolder folder;
    private final TestSite site;
    private final Path results;
    private final SuiteListener listener;
    private final Clock clock;
    private volatile boolean cancelled;

    /// @param results folder of the records
    public SuiteRunner(SessionFolder folder, TestSite site, Path results, SuiteListener listener, Clock clock) {
        this.folder = folder;
        this.site = site;
        this.results = results;
        this.listener = listener;
        this.clock = new AnchoredClock(clock);
    }

    /// Runs every test that has not ended. A test that a killed program left in the middle begins again, unless its job goes on.
    ///
    /// @return the session as it is at the end
    /// @throws IOException with a sentence if its files fail, or another process runs it
    public SuiteSession run() throws IOException, InterruptedException {
        return each(test -> true, false);
    }

    /// As [#run], and tests that failed, were blocked or cancelled begin again. A configuration that was refused stays so.
    public SuiteSession retry() throws IOException, InterruptedException {
        return each(test -> true, true);
    }

    /// As [#run] or [#retry], on a daemon thread of its own.
    ///
    /// @param again whether tests begin again that failed
    /// @return completes with the session at its end, or with the failure
    public CompletableFuture<SuiteSession> start(boolean again) {
        CompletableFuture<SuiteSession> ended = new CompletableFuture<>();
        Thread.ofPlatform().name("suite").daemon().start(() -> {
            try {
                ended.complete(again ? retry() : run());
            } catch (InterruptedException | IOException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        return ended;
    }

    /// Collects the tests whose jobs have ended; waits for none.
    public SuiteSession collect() throws IOException, InterruptedException {
        return each(site::hasEnded, false);
    }

    /// Which tests are to be taken now.
    private interface Choice {
        boolean takes(SessionTest test) throws IOException, InterruptedException;
    }

    private SuiteSession each(Choice choice, boolean again) throws IOException, InterruptedException {
        Optional<FileChannel> held = folder.hold();
        if (held.isEmpty()) {
            throw new IOException(folder.path() + " is being run by another process. See suite status.");
        }
        try (FileChannel lock = held.get()) {
            SessionProgress progress = new SessionProgress(folder, folder.read(), clock);
            if (again) {
                beginAgain(progress);
            }
            for (int i = 0; i < progress.session().tests().size() && !cancelled; i++) {
                if (!progress.test(i).state().isEnd() && choice.takes(progress.test(i))) {
                    take(i, progress);
                }
            }
            return progress.session();
        }
    }

    private void beginAgain(SessionProgress progress) throws IOException {
        for (int i = 0; i < progress.session().tests().size(); i++) {
            SessionTest test = progress.test(i);
            if (test.state().isEnd() && test.canBeginAgain()) {
                site.forget(folder, test);
                String place = folder.renamed(test, false);
                progress.change(i, each -> each.again(place));
            }
        }
    }

    private void take(int index, SessionProgress progress) throws IOException, InterruptedException {
        listener.testStarted(progress.session(), index);
        TestEnd end;
        try {
            end = site.run(folder, index, progress);
        } catch (InterruptedException e) {
            if (cancelled) {
                // Its job goes on.
                return;
            }
            throw e;
        }
        String place = folder.renamed(progress.test(index), end.state() == State.FAILED);
        progress.change(index, test -> end.state() == State.CANCELLED && test.job().isEmpty() ? test.again(place)
                : test.ended(end, place, clock.wall()));
        if (end.state() == State.COMPLETE) {
            addFigures(progress.session(), progress.test(index));
        }
        if (progress.session().isEnded()) {
            addSession(progress.session());
        }
        listener.testEnded(progress.session(), index);
    }

    /// The records are kept whatever happens to the files of figures.
    private void addFigures(SuiteSession session, SessionTest test) {
        try {
            List<ExperimentRecord> records = new SessionRecords(results).of(test);
            Instant started = Optional.ofNullable(test.started()).orElse(session.created());
            Instant ended = Optional.ofNullable(test.ended()).orElse(clock.wall());
            EndedTest seen = new EndedTest(test.id(), test.type(), session.platform(), started, ended);
            figures(session).add(test.job().isEmpty() ? seen : seen.during(records), records, folder.of(test));
            compareAnswers(test, records);
        } catch (IOException e) {
            listener.message("The figures of " + test.id() + " are not in the CSV file. " + FileFault.sentence(e));
        }
    }

    private void compareAnswers(SessionTest test, List<ExperimentRecord> records) throws IOException {
        Path reference = folder.of(test).resolve(SessionFolder.REFERENCE);
        if (Files.isRegularFile(reference)) {
            AnswerComparison answers = AnswerComparison.of(AnswerReference.read(reference), records);
            folder.write(test, ANSWERS, new String(ManifestJson.bytes(answers), StandardCharsets.UTF_8));
            listener.message("  " + answers.sentence());
        }
    }

    private SuiteFigures figures(SuiteSession session) {
        return new SuiteFigures(folder.path().toAbsolutePath().normalize().resolveSibling(""), session.created());
    }

    private void addSession(SuiteSession session) {
        try {
            Optional<MachineDescription> machine = Optional.empty();
            for (SessionTest test : session.tests()) {
                if (machine.isEmpty() && test.state() == State.COMPLETE) {
                    machine = new SessionRecords(results).of(test).stream().flatMap(record -> record.runs().stream())
                            .map(run -> run.manifest().machine()).findFirst();
                }
            }
            figures(session).addSession(machine, clock.wall());
        } catch (IOException e) {
            listener.message("The session is not in its CSV file. " + FileFault.sentence(e));
        }
    }

    /// Stops the running test and begins no other.
    public void cancel() {
        cancelled = true;
        site.cancel();
    }

    /// Receives the progress of a session, on the thread that runs it.
    public interface SuiteListener {
        /// A test begins.
        ///
        /// @param index from 0
        default void testStarted(SuiteSession session, int index) {}

        /// A test ended.
        default void testEnded(SuiteSession session, int index) {}

        /// Something that a person should read: submissions, notes.
        default void message(String text) {}
    }
}
