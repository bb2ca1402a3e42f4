package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.running.TestSite.TestEnd;
import org.inferometer.suite.slurm.Batches;
import org.inferometer.suite.slurm.Batches.Batch;
import org.inferometer.suite.slurm.FatalLogLines;
import org.inferometer.suite.slurm.JobLedger;
import org.inferometer.suite.slurm.JobRequest;
import org.inferometer.suite.slurm.JobStatus;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.suite.slurm.JobWait.JobEnd;
import org.inferometer.suite.slurm.JobWait.JobListener;
import org.inferometer.suite.slurm.Slurm;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Runs each test as a job of a Slurm cluster that shares the session's folder, and collects its records.
///
/// Jobs are submitted in batches, when the first test of a batch comes up. A stop leaves them on the cluster; a later run of the session
/// finds them again. One session at a time.
public final class SlurmSite implements TestSite {
    /// The site of sessions whose tests are jobs.
    public static final String NAME = "slurm";

    private static final String JOBS = "jobs.tsv";
    private static final String SCRIPT = "job.sh";
    private static final String OUTPUT = "slurm-%j.out";

    private final Slurm slurm;
    private final SlurmSettings settings;
    private final Path results;
    private final SuiteListener listener;
    private final Clock clock;
    private final JobWait wait;
    private @Nullable Batches batches;
    private List<Integer> open = List.of();
    private volatile @Nullable Thread runner;

    /// @param results folder that records are collected into
    public SlurmSite(Slurm slurm, SlurmSettings settings, Path results, SuiteListener listener, Clock clock) {
        this.slurm = slurm;
        this.settings = settings;
        this.results = results;
        this.listener = listener;
        this.clock = clock;
        this.wait = new JobWait(slurm, clock, settings.times(), FatalLogLines.DEFAULT);
    }

    @Override
    public TestEnd run(SessionFolder folder, int test, SessionProgress progress)
            throws IOException, InterruptedException {
        runner = Thread.currentThread();
        JobLedger jobs = JobLedger.open(folder.path().resolve(JOBS), clock);
        submitBatch(folder, test, progress, jobs);
        SessionTest planned = progress.test(test);
        Path place = folder.of(planned);
        if (!settings.debugJob().isEmpty()) {
            listener.message("debug: job " + settings.debugJob() + " is taken as ended; nothing was submitted");
            return collected(place, planned, Optional.empty());
        }
        Optional<JobLedger.Entry> job = jobs.job(planned.id());
        if (jobs.isOpen(planned.id())) {
            throw new IOException("It is open whether the job of " + planned.id() + " was submitted. "
                    + planned.reason() + " Resume the session when Slurm answers.");
        }
        if (job.isEmpty()) {
            return new TestEnd(State.FAILED,
                    planned.reason().isEmpty() ? "Its job was not submitted." : planned.reason(), List.of());
        }
        JobEnd end = wait.await(job.get(), () -> TestLog.files(place), new JobListener() {
            @Override
            public void changed(JobStatus status) {
                if (status.state() == JobState.RUNNING) {
                    begun(progress, test);
                }
                listener.message("  " + status.describe());
            }

            @Override
            public void note(String sentence) {
                listener.message("  " + sentence);
            }
        });
        return collected(place, planned, Optional.of(end));
    }

    private void begun(SessionProgress progress, int test) {
        try {
            progress.begun(test);
        } catch (IOException e) {
            listener.message(FileFault.sentence(e));
        }
    }

    /// Submits the batch of a test unless it was; a test that was submitted before keeps its job.
    private void submitBatch(SessionFolder folder, int test, SessionProgress progress, JobLedger jobs)
            throws IOException, InterruptedException {
        // A test with a job needs none; collecting it must not submit the others of its batch.
        if (!settings.debugJob().isEmpty() || !progress.test(test).job().isEmpty()) {
            return;
        }
        Batches all = batches;
        if (all == null) {
            List<SessionTest> tests = progress.session().tests();
            open = IntStream.range(0, tests.size()).filter(i -> !tests.get(i).state().isEnd()).boxed().toList();
            all = new Batches(open.size(), settings.batchSize());
            batches = all;
            listener.message(all.initialized());
        }
        Optional<Batch> due = all.due(open.indexOf(test));
        if (due.isPresent()) {
            listener.message(all.submitting(due.get()));
            for (int i = due.get().from(); i < due.get().to(); i++) {
                submit(folder, open.get(i), i, due.get(), progress, jobs);
            }
        }
    }

    private void submit(SessionFolder folder, int test, int number, Batch batch, SessionProgress progress,
            JobLedger jobs) throws IOException, InterruptedException {
        SessionTest planned = progress.test(test);
        Path place = folder.of(planned).toAbsolutePath().normalize();
        folder.write(planned, SCRIPT, settings.script(place, planned.experiments(), new JobRecords(place, results)));
        JobRequest request = new JobRequest(planned.id(), planned.allocation(settings.allocation()),
                JobRequest.pattern(place, OUTPUT), "", place.resolve(SCRIPT), List.of());
        try {
            if (planned.own().container() && !slurm.features().containers()) {
                throw new SlurmException(SlurmException.Kind.REFUSED, "Its servers run in a container, and srun of this"
                        + " Slurm has no --container-image (plugin pyxis). Install it, or leave container_image out.");
            }
            if (jobs.job(planned.id()).isEmpty()) {
                request.arguments(slurm.features(), "token").notes().forEach(listener::message);
            }
            JobLedger.Entry job = jobs.submit(planned.id(), request, slurm);
            progress.submitted(test, job.id());
            listener.message(Batches.submitted(batch, number, job.id(), planned.id()));
        } catch (SlurmException e) {
            listener.message(Batches.failed(batch, number, String.valueOf(e.getMessage()), planned.id()));
            progress.change(test, each -> each.because(String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void forget(SessionFolder folder, SessionTest test) throws IOException {
        JobLedger.open(folder.path().resolve(JOBS), clock).remove(test.id());
        Path place = folder.of(test);
        // Fatal lines of the earlier job would cancel the next.
        new JobRecords(place, results).putAside(TestLog.files(place));
    }

    /// Whether a test's job has ended, so that collecting it takes no wait.
    @Override
    public boolean hasEnded(SessionTest test) throws IOException, InterruptedException {
        if (test.job().isEmpty()) {
            return false;
        }
        try {
            JobStatus status = slurm.states(List.of(test.job())).get(test.job());
            return status == null || status.state().isEnd();
        } catch (SlurmException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Cancels a test's job on the cluster; no effect if this session did not submit it.
    public void cancelJob(SessionFolder folder, SessionTest test) throws IOException, InterruptedException {
        Optional<JobLedger.Entry> job = JobLedger.open(folder.path().resolve(JOBS), clock).job(test.id());
        try {
            if (job.isPresent()) {
                slurm.cancel(job.get().id(), job.get().token());
            }
        } catch (SlurmException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Cancels the jobs of all tests that have not ended, as [#cancelJob].
    public void cancelJobs(SessionFolder folder) throws IOException, InterruptedException {
        for (SessionTest test : folder.read().tests()) {
            if (!test.state().isEnd() && !test.job().isEmpty()) {
                cancelJob(folder, test);
            }
        }
    }

    /// Moves the records of a job into the library; they tell whether the test is complete.
    private TestEnd collected(Path place, SessionTest test, Optional<JobEnd> end) throws IOException {
        JobRecords.Collected records = new JobRecords(place, results).collect(test.experiments());
        if (end.filter(JobEnd::isCancelled).isPresent()) {
            return new TestEnd(State.CANCELLED, "Job " + test.job() + " was cancelled on the cluster.",
                    records.names());
        }
        if (records.complete() == test.experiments().size()) {
            return new TestEnd(State.COMPLETE, "", records.names());
        }
        String reason = Stream.of(records.failure(), end.map(JobEnd::reason).orElse(""), lastLine(place, test.job()))
                .filter(text -> !text.isEmpty()).reduce((left, right) -> left + " " + right)
                .orElse("The job left no record.");
        return new TestEnd(State.FAILED, reason, records.names());
    }

    /// What the job said last.
    private static String lastLine(Path place, String job) throws IOException {
        Path log = place.resolve(OUTPUT.replace("%j", job));
        if (job.isEmpty() || !Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS) || Files.size(log) >= 1 << 20) {
            return "";
        }
        List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines()
                .filter(line -> !line.isBlank()).toList();
        return lines.isEmpty() ? "" : "Its log ends: " + OneLine.of(lines.getLast());
    }

    /// Ends the wait; jobs stay on the cluster.
    @Override
    public void cancel() {
        Thread waiting = runner;
        if (waiting != null) {
            waiting.interrupt();
        }
    }
}
