package org.inferometer.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.ExperimentText;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.ReplicatedSpec;
import org.inferometer.experiment.SpecOptions;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Access;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.remote.RemoteBenchmarks;
import org.inferometer.remote.SshHost;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.FreeMachine;
import org.inferometer.run.RunningExperiment;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `run`: runs an experiment and prints its tables, findings and verdict.
@Command(name = "run", customSynopsis = "inferometer run [PRESET|SPEC.yaml] [OPTION]...", sortOptions = false,
        description = "Run an experiment: engines x schedulers x workloads, with warm-up, repetitions and a verdict.",
        footer = {"", "Examples:", "  inferometer run quick", "  inferometer run schedulers --engine tiny-fp8 --runs 5",
                "  inferometer run schedulers --requests 25,50,100,200,500 --baseline simple",
                "  inferometer run --engine tiny-int4 --scheduler naive --scheduler continuous --workload chat",
                "  inferometer run --engine tiny-fp8 --workload short --rate 6 --backend host:threads=2",
                "  inferometer run nightly.yaml --require-valid --json", "  inferometer run --again latest --runs 3",
                "  inferometer run --against latest --scheduler continuous:chunked=false --runs 5", ""})
public final class RunCommand extends JsonCommand {
    /// Other tools divide lists by blanks.
    public static final String COMMAS = "Lists have commas, as in --scheduler naive,dynamic.";
    private static final long MOST_WAIT_SECONDS = 30;

    @Parameters(index = "0", arity = "0..1", paramLabel = "PRESET|SPEC.yaml",
            description = "Preset or experiment file. Options override it.")
    @Nullable
    String what;

    @Option(names = "--out", paramLabel = "DIR",
            description = "Folder that the result's folder is made in. Default: results in the workspace.")
    @Nullable
    Path out;

    @Option(names = "--again", paramLabel = "RESULT",
            description = "Repeat the experiment of a result: its id, its folder, or latest.")
    @Nullable
    String again;

    @Option(names = "--against", paramLabel = "RESULT",
            description = "Measure the cells of a result again, in turn with the given ones, so that both are compared "
                    + "in one experiment. Without PRESET or SPEC.yaml, options change the experiment of the result.")
    @Nullable
    String against;

    @Option(names = "--allow", paramLabel = "KIND", split = ",",
            description = "Approve what a file or result that others wrote uses: program, address (off this machine), "
                    + "secret, file.")
    List<String> allow = List.of();

    @Option(names = "--save", paramLabel = "NAME",
            description = "Save the experiment as a preset of the workspace, and do not run it. Then: inferometer run NAME.")
    @Nullable
    String save;

    @Option(names = "--on", paramLabel = "ssh:HOST",
            description = "Run the experiment on another machine through ssh, and bring its record here.")
    @Nullable
    String on;

    @Option(names = "--wait", arity = "0..1", paramLabel = "=SECONDS", preprocessor = AttachedValue.class,
            description = "If another experiment runs on this machine, wait for its end: at most a day, or so many seconds (--wait=600).")
    @Nullable
    Integer waitSeconds;

    @Mixin
    BuildOption build = new BuildOption();

    @Option(names = "--require-valid", description = "Exit with 1 unless the verdict is VALID; PREVIEW is not.")
    boolean requireValid;

    @Spec
    CommandSpec command = CommandSpec.create();

    private RunCommand(RootCommand root) {
        super(root);
    }

    /// The command with an option for each field of an experiment.
    public static CommandLine line(RootCommand root) {
        CommandLine line = new CommandLine(new RunCommand(root));
        RunOptions.addTo(line.getCommandSpec());
        return line;
    }

    @Override
    public Integer call() throws UsageException, CommandException, PlanException, InterruptedException {
        Map<String, List<String>> given = RunOptions.given(command.commandLine().getParseResult());
        Path results = out == null ? services().workspace().results() : out;
        BenchmarkService service = service(results);
        ExperimentSpec base = base(given);
        SpecOptions options = SpecOptions.over(base, given, services().registries());
        ExperimentSpec spec = against == null || !options.faults().isEmpty() ? options.spec()
                : beside(earlier(against), options.spec());
        approve(base, given, spec, service);
        List<PlanFault> faults = new ArrayList<>(options.faults());
        faults.addAll(located(given, service.check(spec)));
        if (!faults.isEmpty()) {
            throw new PlanException(faults);
        }
        if (save != null) {
            return saved(save, spec);
        }
        if (on == null) {
            announce(spec, service);
        }
        build.require(service.buildBytes(spec), terminal());
        return isFree(service) ? follow(service, spec) : ExitCodes.RUN_FAILED;
    }

    /// Takes the value of `--wait=600` and not the word after `--wait`.
    static final class AttachedValue implements CommandLine.IParameterPreprocessor {
        private static final int A_DAY = 86_400;

        @Override
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec argument,
                Map<String, Object> info) {
            boolean alone = !"=".equals(info.get("separator"));
            if (alone) {
                argument.setValue(A_DAY);
            }
            return alone;
        }
    }

    /// Whether no other experiment runs on the machine, perhaps after waiting. Says so otherwise: a refusal makes no result.
    private boolean isFree(BenchmarkService service) throws InterruptedException {
        Integer seconds = waitSeconds;
        if (seconds == null) {
            Optional<String> busy = service.busy();
            busy.ifPresent(reason -> terminal().fault(reason + " --wait begins when the machine is free."));
            return busy.isEmpty();
        }
        Clock clock = services().clock();
        long until = clock.nanos() + TimeUnit.SECONDS.toNanos(seconds);
        Optional<String> busy = FreeMachine.await(service, reason -> {
            terminal().err().print("Waiting. " + reason + "\n");
            terminal().err().flush();
        }, () -> clock.nanos() < until);
        busy.ifPresent(reason -> terminal().fault(reason + " --wait=" + seconds + " has passed."));
        return busy.isEmpty();
    }

    private BenchmarkService service(Path results) throws UsageException {
        BenchmarkService here = services().benchmarks().apply(results);
        if (on == null) {
            return here;
        }
        try {
            return new RemoteBenchmarks(SshHost.parse(on), here, results, services().clock());
        } catch (IllegalArgumentException e) {
            throw new UsageException("--on: " + e.getMessage());
        }
    }

    private int saved(String name, ExperimentSpec spec) throws UsageException, CommandException {
        try {
            Path file = services().presets().save(name, spec);
            if (json) {
                print(Map.of("preset", name, "file", file.toString()));
            } else {
                terminal().print("Saved as " + file + ". Run it: inferometer run " + name + "\n");
            }
            return ExitCodes.DONE;
        } catch (IllegalArgumentException e) {
            throw new UsageException("--save " + name + ": " + e.getMessage());
        } catch (IOException e) {
            throw new CommandException("Cannot save the preset. " + FileFault.sentence(e), e);
        }
    }

    /// Before anything that the experiment names is looked at.
    private void approve(ExperimentSpec base, Map<String, List<String>> given, ExperimentSpec spec,
            BenchmarkService service) throws UsageException, CommandException, PlanException {
        Set<Access.Kind> allowed = allowed();
        ExperimentSpec named = SpecOptions.over(ExperimentSpec.STANDARD, given, services().registries()).spec();
        for (String result : Stream.of(again, against).filter(Objects::nonNull).toList()) {
            Path folder = new ResultFinder(services()).find(result);
            new Approval(result, folder, service::accesses).require(earlier(result), named, spec, allowed);
        }
        Path file = file();
        if (file != null && what != null) {
            new Approval(what, file.toAbsolutePath().resolveSibling(""), service::accesses).require(base, named, spec,
                    allowed);
        }
    }

    private Set<Access.Kind> allowed() throws UsageException {
        Set<Access.Kind> kinds = EnumSet.noneOf(Access.Kind.class);
        for (String id : allow) {
            kinds.add(Arrays.stream(Access.Kind.values()).filter(kind -> kind.id().equals(id)).findFirst().orElseThrow(
                    () -> new UsageException(NearMisses.sentence("kind for --allow", id, Access.Kind.ids()))));
        }
        return kinds;
    }

    /// The faults of a plan where people wrote their cause: at options, or at lines of the file.
    private List<PlanFault> located(Map<String, List<String>> given, List<PlanFault> faults) throws UsageException {
        List<PlanFault> atOptions = SpecOptions.located(given, faults);
        Path file = file();
        return file != null ? new SpecReader().located(file, atOptions) : atOptions;
    }

    private ExperimentSpec earlier(String result) throws UsageException {
        return new ResultFinder(services()).open(result).manifest().spec();
    }

    /// The cells of an earlier experiment and of this one.
    private ExperimentSpec beside(ExperimentSpec earlier, ExperimentSpec changed) throws UsageException {
        try {
            ExperimentSpec union = ReplicatedSpec.of(earlier, changed);
            long added = ReplicatedSpec.addedCells(earlier, changed);
            if (added > 0) {
                terminal().err().print("Cells make a product: " + added + (added == 1 ? " cell is" : " cells are")
                        + " measured that neither experiment has.\n");
            }
            return union;
        } catch (IllegalArgumentException e) {
            throw new UsageException("--against " + against + ": " + e.getMessage());
        }
    }

    private ExperimentSpec base(Map<String, List<String>> given) throws UsageException, PlanException {
        if (again != null) {
            if (what != null) {
                throw new UsageException("Give either " + what + " or --again " + again + ", not both.");
            }
            return earlier(again);
        }
        if (what == null && against != null) {
            return earlier(against);
        }
        if (what == null) {
            if (!given.containsKey("--engine") && !given.containsKey("--target")) {
                throw new UsageException("Nothing to run. Give a preset (" + String.join(", ", presetNames())
                        + "), a YAML file, --again RESULT, --engine NAME or --target NAME.");
            }
            return ExperimentSpec.STANDARD;
        }
        Path file = file();
        if (file != null) {
            return new SpecReader(services().registries()).read(file);
        }
        String name = what;
        List<String> names = presetNames();
        return new Presets().all().stream().map(Presets.Preset::spec).filter(spec -> spec.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        NearMisses.sentence("preset", name, given.isEmpty() ? "" : COMMAS, names)
                                + " Experiment files end in .yaml."));
    }

    /// The file of the experiment: the given one, or that of a saved preset; null for a preset of the program.
    private @Nullable Path file() throws UsageException {
        if (what == null) {
            return null;
        }
        if (isFile(what)) {
            return Path.of(what);
        }
        return savedNames().contains(what) ? services().presets().file(what) : null;
    }

    private List<String> presetNames() throws UsageException {
        return Stream.concat(new Presets().all().stream().map(preset -> preset.spec().name()), savedNames().stream())
                .distinct().toList();
    }

    /// The saved presets; the program's own go first where names are equal.
    private List<String> savedNames() throws UsageException {
        try {
            List<String> own = new Presets().all().stream().map(preset -> preset.spec().name()).toList();
            return services().presets().names().stream().filter(name -> !own.contains(name)).toList();
        } catch (IOException e) {
            throw new UsageException("The saved presets cannot be read. " + FileFault.sentence(e));
        }
    }

    private static boolean isFile(String text) throws UsageException {
        try {
            return text.matches("(?i).*\\.ya?ml") || text.contains("/") || text.contains("\\")
                    || Files.isRegularFile(Path.of(text));
        } catch (InvalidPathException e) {
            throw new UsageException("\"" + text + "\" is neither a preset nor a file name.");
        }
    }

    private void announce(ExperimentSpec spec, BenchmarkService service) {
        terminal().err().print(PlanText.of(spec, service.estimate(spec), service.lanes(spec), service.warnings(spec),
                ProgressLine.COLUMNS));
        terminal().err().flush();
    }

    private int follow(BenchmarkService service, ExperimentSpec spec)
            throws PlanException, InterruptedException, CommandException {
        Terminal terminal = terminal();
        ProgressLine line = new ProgressLine(terminal, services().clock());
        RunningExperiment running = service.start(spec, new RunProgress(line, services().clock(), verbose()));
        CountDownLatch shown = new CountDownLatch(1);
        try (ShutdownHooks.Registration hook = services().shutdown().onShutdown(() -> stop(running, line, shown))) {
            ExperimentManifest manifest = running.await();
            line.clear();
            int exit = conclude(running.folder(), manifest);
            shown.countDown();
            return exit;
        } finally {
            shown.countDown();
        }
    }

    /// Cancels the experiment and keeps the process alive until the result is saved and printed.
    private static void stop(RunningExperiment running, ProgressLine line, CountDownLatch shown) {
        line.print("stopping; the result is saved in " + running.folder());
        running.cancel();
        try {
            if (!shown.await(MOST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                line.print("the run did not stop within " + MOST_WAIT_SECONDS + " s; see " + running.folder());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int conclude(Path folder, ExperimentManifest manifest) throws CommandException {
        Terminal terminal = terminal();
        if (json) {
            print(document(folder, manifest));
        } else if (!manifest.cells().isEmpty()) {
            try {
                terminal.print(
                        new ExperimentText(services().reports(), terminal).of(new ResultLibrary(folder).open(folder)));
            } catch (IOException e) {
                throw new CommandException("Cannot read the result that was just written. " + FileFault.sentence(e), e);
            }
        } else if (Files.isDirectory(folder)) {
            terminal.print("Result: " + folder + "\n");
        }
        if (manifest.status() != RunStatus.COMPLETE) {
            String why = manifest.failure().isEmpty() ? "" : " " + manifest.failure();
            terminal.fault("Experiment " + manifest.status().id() + "." + why);
            return ExitCodes.RUN_FAILED;
        }
        Verdict verdict = manifest.verdict();
        boolean valid = verdict != null && verdict.grade() == Verdict.Grade.VALID;
        if (requireValid && !valid) {
            terminal.fault("--require-valid: the verdict is "
                    + (verdict == null ? "missing" : verdict.grade() + ", not VALID") + ".");
            return ExitCodes.VERDICT_FAILED;
        }
        return ExitCodes.DONE;
    }
}
