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
import org.inferometer.cli.run.BuildOption;
import org.inferometer.cli.suite.SuitePreview.PreviewLine;
import org.inferometer.experiment.PlanException;
import org.inferometer.options.Access;
import org.inferometer.remote.RemoteBenchmarks;
import org.inferometer.remote.SshHost;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.running.LocalSite;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestAccess;
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
    private static final Set<String> PLANNED = Set.of("--dry-run", "--type", "--category", "--gpu", "--marks",
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
            description = "Folder of the session and of the CSV file, also of a session that --resume names. Default: OUTPUT_PATH, else suites in the workspace.")
    @Nullable
    Path out;

    @Option(names = "--dry-run",
            description = "Show what would run, and what becomes of each field; run nothing. Exits with 1 if nothing can run.")
    boolean dryRun;

    @Option(names = "--on", paramLabel = "ssh:HOST",
            description = "Run each test on another machine through ssh, and bring its records here.")
    @Nullable
    String on;

    @Option(names = "--allow", paramLabel = "KIND", split = ",",
            description = "Approve what experiments of the folder use: program, address (off this machine), secret, file, job (options of sbatch).")
    List<String> allow = List.of();

    @Mixin
    BuildOption build = new BuildOption();

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
    public Integer call() throws UsageException, CommandException, PlanException, IOException, InterruptedException {
        Optional<SshHost> machine = machine();
        BenchmarkService here = services().benchmarks().apply(services().workspace().results());
        BenchmarkService service = machine.isEmpty() ? here
                : new RemoteBenchmarks(machine.get(), here, services().workspace().results(), services().clock());
        SessionFinder finder = SessionFinder.in(services(), out);
        if (resume != null) {
            requireNothingNew();
            SessionFolder session = finder.find(resume);
            requireItsMachine(session.read());
            List<TestAccess> used = TestAccess.of(session, retry, jobs.extra == null, service);
            approve(used, session.path(), service);
            build.require(TestAccess.buildBytes(used, service), terminal());
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
        TestMapping mapping = platform.mapping(services().environment()).orElse(null);
        List<SuiteFile> chosen = contents.chosen();
        SessionPlanner planner = new SessionPlanner(contents.suite(), mapping, finder.sessions(), services().clock());
        List<TestAccess> used = TestAccess.of(planner, chosen, jobs.slurm && jobs.extra == null, service);
        approve(used, contents.suite().folder(), service);
        for (SuiteFile file : chosen) {
            if (file instanceof TestFile test) {
                test.warnings()
                        .forEach(warning -> terminal().err().println("warning: " + planner.id(file) + ": " + warning));
            }
        }
        if (dryRun) {
            List<PreviewLine> lines = new SuitePreview(planner, service).lines(chosen);
            print(lines, () -> SuitePreview.text(lines));
            return lines.stream().anyMatch(line -> line.reasons().isEmpty()) ? ExitCodes.DONE
                    : ExitCodes.VERDICT_FAILED;
        }
        build.require(TestAccess.buildBytes(used, service), terminal());
        Allocation said = jobs.slurm ? jobs.settings(services()).allocation() : Allocation.DEFAULT;
        SessionFolder session;
        try {
            session = planner.plan(chosen, site(machine), said);
        } catch (IOException e) {
            throw new CommandException("The session cannot be written. " + FileFault.sentence(e), e);
        }
        return follow(session, service);
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
    private void requireItsMachine(SuiteSession session) throws UsageException {
        String site = session.site();
        if (jobs.slurm && !session.isOnCluster()) {
            throw new UsageException("The tests of the session are no jobs. Leave --slurm out.");
        }
        if (!session.isOnCluster() && !site.equals(site(machine()))) {
            throw new UsageException(site.equals(LocalSite.NAME) ? "The session runs here. Leave --on out."
                    : "The session runs on " + site + ". Add --on " + site + ".");
        }
    }

    /// Refuses what is not approved; files of the folder need no approval.
    private void approve(List<TestAccess> used, Path folder, BenchmarkService service)
            throws UsageException, PlanException {
        Set<Access.Kind> kinds = kinds();
        for (TestAccess test : used) {
            new Approval(test.origin(), folder, service::accesses).require(test.accesses(), kinds);
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

    private int follow(SessionFolder session, BenchmarkService service)
            throws UsageException, IOException, InterruptedException {
        SessionRun run = SessionRun.of(services(), terminal(), session);
        TestSite site =
                session.read().isOnCluster() ? run.slurm(jobs.settings(services())) : run.here(service, verbose());
        SuiteSession ended = run.follow(site, retry ? SuiteRunner::retry : SuiteRunner::run);
        print(ended, () -> new SessionText(terminal()).of(session, ended, false));
        return ended.count(State.COMPLETE) == ended.tests().size() ? ExitCodes.DONE : ExitCodes.RUN_FAILED;
    }
}
