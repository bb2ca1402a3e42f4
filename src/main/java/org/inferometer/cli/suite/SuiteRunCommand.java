package org.inferometer.cli.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.cli.run.Approval;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Access;
import org.inferometer.remote.RemoteBenchmarks;
import org.inferometer.remote.SshHost;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.running.LocalSite;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestSite;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `suite run`: runs the tests of a folder one after another, and goes on with a session that was stopped.
@Command(name = "run",
        description = "Run the experiments and test configurations of a folder, one after another. Exits with 0 if every test is complete, with 3 if one failed, is blocked or was stopped.",
        footer = {"", "Examples:", "  inferometer suite run experiments",
                "  inferometer suite run test_configs --engine tiny-int4 -m perf",
                "  inferometer suite run test_configs --target http:url=http://127.0.0.1:8000 --runs 3",
                "  inferometer suite run test_configs --engine tiny-int4 --dry-run",
                "  inferometer suite run test_configs --engine tiny-int4 --slurm --partition batch",
                "  inferometer suite run test_configs --trtllm --slurm --dry-run",
                "  inferometer suite run test_configs --engine tiny-int4 --on ssh:gpu1",
                "  inferometer suite run --resume latest", "  inferometer suite run --resume latest --retry", ""})
public final class SuiteRunCommand extends JsonCommand {
    /// Options that are settled when a session is planned.
    private static final Set<String> PLANNED = Set.of("--out", "--dry-run", "--type", "--category", "--gpu", "--marks",
            "--names", "--test-list", "--engine", "--backend", "--target", "--trtllm", "--runs", "--warmup", "--seed");

    @Spec
    CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = "DIR",
            description = "Folder with experiments or test configurations (*.yaml).")
    @Nullable
    Path folder;

    @Option(names = "--resume", paramLabel = "SESSION",
            description = "Go on with a session: its id, its folder, or latest. Ended tests are kept.")
    @Nullable
    String resume;

    @Option(names = "--retry", description = "With --resume: begin tests again that failed, were blocked or cancelled.")
    boolean retry;

    @Option(names = "--out", paramLabel = "DIR",
            description = "Folder of the session and of the CSV file. Default: OUTPUT_PATH, else suites in the workspace.")
    @Nullable
    Path out;

    @Option(names = "--dry-run", description = "Show what would run, and what becomes of each field; run nothing.")
    boolean dryRun;

    @Option(names = "--on", paramLabel = "ssh:HOST",
            description = "Run each test on another machine through ssh, and bring its records here.")
    @Nullable
    String on;

    @Option(names = "--allow", paramLabel = "KIND", split = ",",
            description = "Approve what experiments of the folder use: program, address (off this machine), secret, file, job (options of sbatch).")
    List<String> allow = List.of();

    @Mixin
    SelectionOptions selection = new SelectionOptions();

    @Mixin
    SlurmOptions jobs = new SlurmOptions();

    @Mixin
    PlatformOptions platform = new PlatformOptions();

    public SuiteRunCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException, PlanException, InterruptedException {
        Optional<SshHost> machine = machine();
        BenchmarkService here = services().benchmarks().apply(services().workspace().results());
        BenchmarkService service = machine.isEmpty() ? here
                : new RemoteBenchmarks(machine.get(), here, services().workspace().results(), services().clock());
        Path sessions = out != null ? out : new SessionFinder(services()).sessions();
        if (resume != null) {
            requireNothingNew();
            SessionFolder session = new SessionFinder(services()).find(resume);
            requireItsMachine(session);
            approve(session, service);
            return follow(session, service);
        }
        if (retry) {
            throw new UsageException("--retry goes on with a session. Add --resume SESSION.");
        }
        if (folder == null) {
            throw new UsageException("Give a folder with experiments or test configurations, or --resume SESSION.");
        }
        SuiteContents contents = SuiteContents.read(folder, selection.selection(services().environment()));
        if (platform.trtllm && !jobs.slurm && !dryRun) {
            throw new UsageException("--trtllm starts servers on the nodes of a job. Add --slurm.");
        }
        Optional<TestMapping> mapping = platform.mapping(services().environment());
        contents.requireChosen();
        List<SuiteFile> chosen = contents.files().stream().filter(contents::isChosen).toList();
        SessionPlanner planner =
                new SessionPlanner(contents.suite(), mapping.orElse(null), sessions, services().clock());
        approve(contents, chosen, mapping, service);
        if (dryRun) {
            SuitePreview preview = new SuitePreview(planner, mapping.orElse(null), service);
            print(preview.lines(chosen), () -> preview.text(chosen));
            return ExitCodes.DONE;
        }
        try {
            Allocation said = jobs.slurm ? jobs.settings(services()).allocation() : Allocation.DEFAULT;
            return follow(planner.plan(chosen, file -> true, site(machine), said), service);
        } catch (IOException e) {
            throw new CommandException("The session cannot be written. " + FileFault.sentence(e), e);
        }
    }

    private Optional<SshHost> machine() throws UsageException {
        if (on == null) {
            return Optional.empty();
        }
        if (jobs.slurm) {
            throw new UsageException(
                    "--on and --slurm exclude each other. Start the suite on the cluster's login node.");
        }
        try {
            return Optional.of(SshHost.parse(on));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--on: " + e.getMessage());
        }
    }

    private String site(Optional<SshHost> machine) {
        return jobs.slurm ? SlurmSite.NAME : machine.map(SshHost::written).orElse(LocalSite.NAME);
    }

    /// The tests of a session and what they run on were chosen when it was planned.
    private void requireNothingNew() throws UsageException {
        if (folder != null) {
            throw new UsageException("--resume goes on with a session. Leave the folder out.");
        }
        List<String> given = command.commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName).filter(PLANNED::contains).distinct().toList();
        if (!given.isEmpty()) {
            throw new UsageException("--resume goes on with a session as it was planned. Leave "
                    + String.join(", ", given) + " out. To look at it: inferometer suite status " + resume);
        }
    }

    /// A session may come from others: it chooses no machine that ssh connects to.
    private void requireItsMachine(SessionFolder session) throws UsageException, CommandException {
        try {
            String site = session.read().site();
            if (jobs.slurm && !site.equals(SlurmSite.NAME)) {
                throw new UsageException("The tests of the session are no jobs. Leave --slurm out.");
            }
            if (!site.equals(SlurmSite.NAME) && !site.equals(site(machine()))) {
                throw new UsageException(site.equals(LocalSite.NAME) ? "The session runs here. Leave --on out."
                        : "The session runs on " + site + ". Add --on " + site + ".");
            }
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
    }

    /// A session may come from others, too.
    private void approve(SessionFolder session, BenchmarkService service)
            throws UsageException, CommandException, PlanException {
        try {
            SuiteSession state = session.read();
            for (SessionTest test : state.tests()) {
                if (state.isOnCluster() && jobs.extra == null && !test.experiments().isEmpty()
                        && test.state() != State.COMPLETE) {
                    new Approval(test.id(), session.path(), service::accesses).require(test.own().accesses(), kinds());
                }
                for (String name : test.state().isEnd() && !(retry && test.state() != State.COMPLETE)
                        ? List.<String>of() : test.experiments()) {
                    Path file = session.of(test).resolve(name);
                    ExperimentSpec spec = new SpecReader().read(file);
                    new Approval(test.id(), session.path(), service::accesses).require(spec, ExperimentSpec.STANDARD,
                            spec, kinds());
                }
            }
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
    }

    private Set<Access.Kind> kinds() throws UsageException {
        Set<Access.Kind> kinds = EnumSet.noneOf(Access.Kind.class);
        for (String id : allow) {
            kinds.add(Arrays.stream(Access.Kind.values()).filter(kind -> kind.id().equals(id)).findFirst().orElseThrow(
                    () -> new UsageException(NearMisses.sentence("kind for --allow", id, Access.Kind.ids()))));
        }
        return kinds;
    }

    /// Experiments may come from others. What the command line names needs no approval.
    private void approve(SuiteContents contents, List<SuiteFile> chosen, Optional<TestMapping> mapping,
            BenchmarkService service) throws UsageException, PlanException {
        for (SuiteFile file : chosen) {
            if (file instanceof TestFile test && !test.isRefused() && jobs.slurm && jobs.extra == null
                    && mapping.isPresent()) {
                new Approval(contents.suite().shown(file.file()), contents.suite().folder(), service::accesses)
                        .require(SessionPlanner.request(test, mapping.get().of(test).launch()).accesses(), kinds());
            }
            if (file instanceof ExperimentFile experiment && experiment.spec().isPresent()) {
                ExperimentSpec spec = experiment.spec().orElseThrow();
                new Approval(contents.suite().shown(file.file()), contents.suite().folder(), service::accesses)
                        .require(spec, ExperimentSpec.STANDARD, spec, kinds());
            }
        }
    }

    private int follow(SessionFolder session, BenchmarkService service)
            throws UsageException, CommandException, InterruptedException {
        SessionRun run = SessionRun.of(services(), terminal(), session);
        boolean cluster = jobs.slurm;
        if (!cluster && resume != null) {
            try {
                cluster = session.read().isOnCluster();
            } catch (IOException e) {
                throw new CommandException(FileFault.sentence(e), e);
            }
        }
        TestSite site = cluster ? run.slurm(jobs.settings(services())) : run.here(service, verbose());
        SuiteSession ended = run.follow(site, retry ? SuiteRunner::retry : SuiteRunner::run);
        print(ended, () -> new SessionText(terminal()).of(session, ended, false));
        return ended.count(State.COMPLETE) == ended.tests().size() ? ExitCodes.DONE : ExitCodes.RUN_FAILED;
    }
}
