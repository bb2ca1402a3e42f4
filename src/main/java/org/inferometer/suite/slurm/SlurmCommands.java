package org.inferometer.suite.slurm;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmException.Kind;
import org.inferometer.suite.slurm.Slurm.SlurmFeatures;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// A cluster behind the commands of Slurm: `sbatch`, `squeue`, `sacct`, `scontrol`, `scancel`. No shell is involved.
public final class SlurmCommands implements Slurm {
    private static final Duration ANSWER = Duration.ofMinutes(1);
    /// sbatch repeats a submission that a busy controller puts off.
    private static final Duration SUBMISSION = Duration.ofMinutes(3);
    private static final DateTimeFormatter SACCT_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss");

    private final Map<String, String> environment;
    private final String folder;
    private volatile @Nullable SlurmFeatures features;

    /// The commands on the PATH.
    ///
    /// @param environment is added to that of this process: `SLURM_CONF`
    public SlurmCommands(Map<String, String> environment) {
        this(environment, Optional.empty());
    }

    /// The commands of a folder.
    SlurmCommands(Map<String, String> environment, Optional<Path> folder) {
        this.environment = Map.copyOf(environment);
        this.folder = folder.map(path -> path.toAbsolutePath() + "/").orElse("");
    }

    @Override
    public SlurmFeatures features() throws SlurmException, InterruptedException {
        SlurmFeatures known = features;
        if (known == null) {
            CommandOutput version = ask("sbatch", "--version");
            if (version.status() != 0) {
                throw version.failure("sbatch does not work here");
            }
            known = SlurmFeatures.of(version.out(), ask("sbatch", "--help").out(), ask("srun", "--help").out(),
                    hasAccounting());
            features = known;
        }
        return known;
    }

    /// A database that does not answer now counts as one.
    private boolean hasAccounting() throws InterruptedException {
        try {
            CommandOutput asked = ask("sacct", "-n", "-P", "-X", "--format=JobIDRaw", "-j", "1");
            return asked.status() == 0 || !asked.error().contains("disabled");
        } catch (SlurmException e) {
            return e.kind() != Kind.MISSING;
        }
    }

    @Override
    public String submit(JobRequest request, String token) throws SlurmException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("sbatch"));
        words.addAll(request.arguments(features(), token).words());
        CommandOutput output = run(SUBMISSION, words);
        String name = OneLine.of(request.name());
        if (output.status() != 0) {
            throw output.failure("sbatch refused job \"" + name + "\"");
        }
        return SlurmOutput.submitted(output.out()).orElseThrow(() -> new SlurmException(Kind.UNANSWERED,
                "sbatch printed no number for job \"" + name + "\": \"" + OneLine.of(output.out()) + "\"."));
    }

    @Override
    public Map<String, JobStatus> states(Collection<String> ids) throws SlurmException, InterruptedException {
        if (ids.isEmpty()) {
            return Map.of();
        }
        for (String id : ids) {
            checkNumber(id);
        }
        CommandOutput output =
                ask("squeue", "-h", "-a", "-t", "all", "-o", SlurmOutput.SQUEUE_FORMAT, "-j", String.join(",", ids));
        if (output.status() != 0 && output.error().contains("Invalid job id")) {
            return Map.of();
        }
        return SlurmOutput.squeue(succeeded(output, "squeue failed").out());
    }

    @Override
    public Optional<JobStatus> end(String id) throws SlurmException, InterruptedException {
        checkNumber(id);
        if (features().accounting()) {
            CommandOutput recorded = ask("sacct", "-n", "-P", "-X", "--format=" + SlurmOutput.SACCT_FORMAT, "-j", id);
            // Accounting lags behind the controller.
            Optional<JobStatus> ended = SlurmOutput.sacct(recorded.out(), id).filter(job -> job.state().isEnd());
            if (ended.isPresent()) {
                return ended;
            }
        }
        CommandOutput shown = ask("scontrol", "-o", "show", "job", id);
        Optional<JobStatus> remembered = SlurmOutput.scontrol(shown.out(), id);
        if (remembered.isPresent()) {
            return remembered.filter(job -> job.state().isEnd());
        }
        if (shown.status() != 0 && !shown.error().contains("Invalid job id")) {
            throw shown.failure("scontrol failed");
        }
        return SlurmOutput.completed(ask("sacct", "-c", "-P", "-j", id).out(), id).filter(job -> job.state().isEnd());
    }

    @Override
    public void cancel(String id, String token) throws SlurmException, InterruptedException {
        checkNumber(id);
        CommandOutput marked = ask("squeue", "-h", "-a", "-o", "%i|%k", "-j", id);
        if (marked.status() != 0) {
            if (marked.error().contains("Invalid job id")) {
                return;
            }
            throw marked.failure("squeue failed");
        }
        if (marked.out().isBlank()) {
            return;
        }
        if (SlurmOutput.withToken(marked.out(), token).isEmpty()) {
            throw new SlurmException(Kind.REFUSED, "Job " + id + " is none of this session, and is not cancelled.");
        }
        CommandOutput output = ask("scancel", id);
        if (output.status() != 0 && !output.error().contains("Invalid job id")
                && !output.error().contains("already complet")) {
            throw output.failure("scancel could not cancel job " + id);
        }
    }

    @Override
    public Optional<String> find(String token, Instant since) throws SlurmException, InterruptedException {
        awaitSubmissions(token);
        List<String> listing = new ArrayList<>(List.of("squeue", "-h", "-a", "-t", "all", "-o", "%i|%k"));
        String user = System.getProperty("user.name", "?");
        if (!user.equals("?")) {
            listing.addAll(List.of("-u", user));
        }
        CommandOutput listed = succeeded(run(ANSWER, listing), "squeue failed");
        Optional<String> found = SlurmOutput.withToken(listed.out(), token);
        if (found.isPresent() || !features().accounting()) {
            return found;
        }
        // Comments are kept only on request (AccountingStoreFlags), the line of submission since version 21.08.
        String start = SACCT_TIME.format(since.minus(1, ChronoUnit.DAYS).atZone(ZoneId.systemDefault()));
        CommandOutput recorded =
                ask("sacct", "-n", "-P", "-X", "-S", start, "-E", "now", "--format=JobIDRaw,Comment,SubmitLine");
        if (recorded.status() != 0) {
            recorded = succeeded(ask("sacct", "-n", "-P", "-X", "-S", start, "-E", "now", "--format=JobIDRaw,Comment"),
                    "sacct failed");
        }
        return SlurmOutput.withToken(recorded.out(), token);
    }

    /// A killed program may leave an `sbatch` that has not submitted yet.
    private static void awaitSubmissions(String token) throws SlurmException, InterruptedException {
        List<ProcessHandle> submissions = ProcessHandle.allProcesses().filter(process -> process.info().arguments()
                .filter(words -> List.of(words).contains("--comment=" + token)).isPresent()).toList();
        for (ProcessHandle submission : submissions) {
            try {
                submission.onExit().get(SUBMISSION.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                throw new SlurmException(Kind.UNANSWERED, "sbatch (process " + submission.pid()
                        + ") of an earlier start still runs. End it, then repeat.");
            }
        }
    }

    /// Numbers come from files, too: "--user=me" would cancel every job.
    private static void checkNumber(String id) throws SlurmException {
        if (!id.matches("[0-9]{1,18}")) {
            throw new SlurmException(Kind.REFUSED, "\"" + OneLine.of(id) + "\" is no number of a job.");
        }
    }

    private static CommandOutput succeeded(CommandOutput output, String what) throws SlurmException {
        if (output.status() != 0) {
            throw output.failure(what);
        }
        return output;
    }

    private CommandOutput ask(String... words) throws SlurmException, InterruptedException {
        return run(ANSWER, List.of(words));
    }

    private CommandOutput run(Duration limit, List<String> words) throws SlurmException, InterruptedException {
        List<String> command = new ArrayList<>(words);
        command.set(0, folder + words.getFirst());
        return CommandOutput.of(command, environment, limit);
    }
}
