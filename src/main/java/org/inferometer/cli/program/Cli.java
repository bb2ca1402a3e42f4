package org.inferometer.cli.program;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.inferometer.cli.CliWiring;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.LocaleCharset;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.UsageException;
import org.inferometer.cli.compare.CompareCommand;
import org.inferometer.cli.compare.GateCommand;
import org.inferometer.cli.engines.EnginesBuildCommand;
import org.inferometer.cli.engines.EnginesInspectCommand;
import org.inferometer.cli.engines.EnginesListCommand;
import org.inferometer.cli.engines.EnginesPromptCommand;
import org.inferometer.cli.engines.EnginesQualityCommand;
import org.inferometer.cli.engines.EnginesVerifyCommand;
import org.inferometer.cli.machine.DevicesCommand;
import org.inferometer.cli.machine.SelfCheckCommand;
import org.inferometer.cli.results.ExportCommand;
import org.inferometer.cli.results.ImportCommand;
import org.inferometer.cli.results.ReportCommand;
import org.inferometer.cli.results.ResultsBundleCommand;
import org.inferometer.cli.results.ResultsDeleteCommand;
import org.inferometer.cli.results.ResultsFetchCommand;
import org.inferometer.cli.results.ResultsListCommand;
import org.inferometer.cli.results.ResultsNoteCommand;
import org.inferometer.cli.results.ResultsPruneCommand;
import org.inferometer.cli.results.ResultsRequestsCommand;
import org.inferometer.cli.results.ResultsRestoreCommand;
import org.inferometer.cli.results.ResultsShareCommand;
import org.inferometer.cli.results.ResultsShowCommand;
import org.inferometer.cli.results.ResultsStepsCommand;
import org.inferometer.cli.results.SimulateCommand;
import org.inferometer.cli.run.ProbeCommand;
import org.inferometer.cli.run.RemoteCommand;
import org.inferometer.cli.run.RunCommand;
import org.inferometer.cli.run.WorkerModeCommand;
import org.inferometer.cli.suite.SuiteCollectCommand;
import org.inferometer.cli.suite.SuiteCompareCommand;
import org.inferometer.cli.suite.SuiteLaunchCommand;
import org.inferometer.cli.suite.SuiteListCommand;
import org.inferometer.cli.suite.SuiteMetricsCommand;
import org.inferometer.cli.suite.SuiteRunCommand;
import org.inferometer.cli.suite.SuiteStatusCommand;
import org.inferometer.cli.suite.SuiteValidateCommand;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.plugin.PluginException;
import org.inferometer.results.OutputFolders;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.units.EnvFileException;
import org.inferometer.units.FileFault;
import org.inferometer.units.FileTooLargeException;
import org.inferometer.units.HeldFile;
import org.inferometer.units.LetterCase;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Parses the arguments, runs the command and returns the exit code.
///
/// Errors are printed as sentences on standard error; stack traces go to the log and, with `--verbose`, to standard error. For one
/// thread.
public final class Cli {
    private static final int MOST_FAULTS = 50;
    /// Options that name a file or folder to write.
    static final Set<String> OUTPUTS = Set.of("--out", "--charts", "--scheduler-suite", "--report", "--junit", "--csv");

    private final RootCommand root;
    private final CommandLine commands;
    private final Terminal terminal;

    /// @param wiring constructs the services when a command first needs them
    public Cli(CliWiring wiring, Terminal terminal) {
        this.terminal = terminal;
        this.root = new RootCommand(wiring, terminal);
        CommandGroup engines = new CommandGroup("engines",
                "List, build, inspect and verify engines: models in one precision, ready to run.",
                List.of("engines list", "engines build tiny-fp8 tiny-int4", "engines inspect tiny-int4",
                        "engines verify tiny-fp8"),
                List.of(new EnginesListCommand(root), new EnginesBuildCommand(root), new EnginesInspectCommand(root),
                        new EnginesPromptCommand(root), new EnginesQualityCommand(root),
                        new EnginesVerifyCommand(root)));
        CommandGroup results = new CommandGroup("results",
                "List, show, share, bundle, import, fetch, note, delete and restore results.",
                List.of("results list", "results show latest", "results steps latest --run 1 --limit 20",
                        "results prune --older-than 30d --dry-run"),
                List.of(new ResultsListCommand(root), new ResultsShowCommand(root), new ResultsStepsCommand(root),
                        new ResultsRequestsCommand(root), new ResultsShareCommand(root), new ResultsBundleCommand(root),
                        new ImportCommand(root), new ResultsNoteCommand(root), new ResultsDeleteCommand(root),
                        new ResultsRestoreCommand(root), new ResultsPruneCommand(root), new ResultsFetchCommand(root)));
        CommandGroup suite = new CommandGroup("suite",
                "List, validate and run folders of experiments and of TensorRT-LLM's test configurations (*.yaml).",
                List.of("suite list test_configs -m perf", "suite validate experiments",
                        "suite run test_configs --engine tiny-int4", "suite status latest"),
                List.of(new SuiteListCommand(root), new SuiteValidateCommand(root), new SuiteRunCommand(root),
                        new SuiteStatusCommand(root), new SuiteCollectCommand(root), new SuiteCompareCommand(root),
                        new SuiteMetricsCommand(root), new SuiteLaunchCommand(root)));
        this.commands = new CommandLine(root);
        for (Object command : List.of(RunCommand.line(root), engines.line(), results.line(), suite.line(),
                new CompareCommand(root), new GateCommand(root), new ImportCommand(root), new ExportCommand(root),
                new ReportCommand(root), new SimulateCommand(root), new ProbeCommand(root), new DevicesCommand(root),
                new SelfCheckCommand(root), new OpenCommand(root), new WorkerModeCommand(root), new RemoteCommand(root),
                new HelpCommand(root))) {
            commands.addSubcommand(command);
        }
        configure();
    }

    /// Runs one command.
    ///
    /// @return one of [ExitCodes]
    public int execute(String... arguments) {
        int code = executeOrExplain(arguments);
        Optional<String> lost = terminal.outFailure();
        if (lost.isEmpty()) {
            return code;
        }
        // The reader of a pipe may leave early on purpose, as "head" does.
        lost.filter(reason -> !reason.contains("Broken pipe")).ifPresent(reason -> terminal
                .fault("The output could not be written (" + reason + "). Write it to another place."));
        return ExitCodes.RUN_FAILED;
    }

    /// Errors of the JVM must not end as exit code 1, which means a verdict.
    private int executeOrExplain(String... arguments) {
        Optional<String> garbled = LocaleCharset.fault(arguments);
        if (garbled.isPresent()) {
            terminal.fault(garbled.get());
            return ExitCodes.USAGE_ERROR;
        }
        try {
            return commands.execute(withOpen(arguments));
        } catch (OutOfMemoryError e) {
            return failed("Out of memory: the heap is limited to " + (Runtime.getRuntime().maxMemory() >> 20)
                    + " MiB. Raise it, for example with INFEROMETER_JAVA_OPTIONS=-Xmx8g.", e);
        } catch (RuntimeException | Error e) {
            return failed("Internal error: " + e + ". Run again with --verbose for the stack trace.", e);
        }
    }

    /// `inferometer FILE.inferometer` means `inferometer open FILE.inferometer`, as file managers call it.
    private String[] withOpen(String... arguments) {
        if (arguments.length == 0 || !LetterCase.lower(arguments[arguments.length - 1]).endsWith(BundleWriter.ENDING)
                || Arrays.stream(arguments).anyMatch(commands.getSubcommands()::containsKey)) {
            return arguments;
        }
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add(words.size() - 1, "open");
        return words.toArray(String[]::new);
    }

    public CommandLine commands() {
        return commands;
    }

    private void configure() {
        commands.setExpandAtFiles(false);
        commands.setUsageHelpAutoWidth(false);
        commands.setUsageHelpWidth(terminal.columns());
        commands.setAbbreviatedOptionsAllowed(false);
        commands.setColorScheme(CommandLine.Help
                .defaultColorScheme(terminal.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
        commands.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
        commands.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
        commands.setParameterExceptionHandler(this::usageError);
        commands.setExecutionExceptionHandler(this::commandError);
        commands.setExecutionStrategy(this::noting);
        failWith(ExitCodes.RUN_FAILED, commands);
        listNamesIn(Objects.requireNonNull(commands.getSubcommands().get("run")));
        commands.getCommandSpec().versionProvider(() -> new String[]{root.version()});
    }

    /// Runs the command. Meanwhile the workspace notes the files and folders that it writes to.
    private int noting(CommandLine.ParseResult parsed) {
        List<Path> outputs = outputs(parsed);
        List<HeldFile> notes = new ArrayList<>();
        try {
            for (Path output : outputs) {
                notes.add(OutputFolders.of(root.services().workspace().root()).note(output));
            }
        } catch (IOException e) {
            // A workspace that cannot be written has no notes.
            System.getLogger(Cli.class.getName()).log(Level.DEBUG, "The outputs are not noted", e);
        } catch (EnvFileException | PluginException e) {
            return refused(e);
        }
        try {
            return new CommandLine.RunLast().execute(parsed);
        } finally {
            notes.forEach(Cli::close);
        }
    }

    private static void close(HeldFile note) {
        try {
            note.close();
        } catch (IOException e) {
            System.getLogger(Cli.class.getName()).log(Level.DEBUG, "A note stays", e);
        }
    }

    private static List<Path> outputs(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult last = parsed.asCommandLineList().getLast().getParseResult();
        List<String> named = new ArrayList<>();
        for (OptionSpec option : last.matchedOptions()) {
            Object value = option.getValue();
            if (OUTPUTS.contains(option.longestName()) && value != null && !value.equals("-")) {
                named.add(value.toString());
            }
        }
        Object command = last.commandSpec().userObject();
        if (command instanceof ReportCommand || command instanceof ResultsNoteCommand) {
            // They write into the folder of a result.
            last.matchedPositionals().forEach(result -> named.addAll(result.stringValues()));
        }
        List<Path> outputs = new ArrayList<>();
        for (String name : named) {
            try {
                outputs.add(Path.of(name));
            } catch (InvalidPathException e) {
                // The command refuses it.
            }
        }
        return outputs;
    }

    /// The code for a handler of errors that fails itself; the library's own is 1.
    private static void failWith(int code, CommandLine command) {
        command.getCommandSpec().exitCodeOnExecutionException(code).exitCodeOnInvalidInput(code);
        command.getSubcommands().values().forEach(each -> failWith(code, each));
    }

    /// Lists the names of the registries before the examples; reads them only when the help is printed.
    private void listNamesIn(CommandLine run) {
        List<String> sections = new ArrayList<>(run.getHelpSectionKeys());
        sections.add(sections.indexOf(CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER), "names");
        run.setHelpSectionKeys(sections);
        run.getHelpSectionMap().put("names", help -> {
            try {
                return new HelpTopics(root.services(), terminal.columns()).names();
            } catch (EnvFileException | PluginException e) {
                refused(e);
                return "";
            }
        });
    }

    private int usageError(ParameterException fault, String[] arguments) {
        CommandSpec command = fault.getCommandLine().getCommandSpec();
        List<String> sentences = new ArrayList<>();
        if (fault instanceof UnmatchedArgumentException unmatched) {
            sentences.addAll(unknown(command, unmatched.getUnmatched()));
        } else {
            sentences.add(sentence(String.valueOf(fault.getMessage())));
        }
        sentences.forEach(terminal::fault);
        terminal.err().println("See: " + command.qualifiedName() + " --help");
        return ExitCodes.USAGE_ERROR;
    }

    /// A sentence for each unknown word; the value of an unknown option is part of it.
    private List<String> unknown(CommandSpec command, List<String> words) {
        List<String> sentences = new ArrayList<>();
        boolean afterOption = false;
        for (String word : words) {
            if (isOption(word)) {
                sentences.add(unknownOption(command, word.replaceFirst("=.*", "")));
            } else if (!afterOption) {
                String lists = command.optionsMap().containsKey("--scheduler") ? " " + RunCommand.COMMAS : "";
                sentences.add(
                        command.subcommands().isEmpty() ? "Unexpected argument \"" + OneLine.of(word) + "\"." + lists
                                : NearMisses.sentence("command", word, visible(command)));
            }
            afterOption = isOption(word) && !word.contains("=");
        }
        return sentences.stream().distinct().toList();
    }

    private static boolean isOption(String word) {
        return word.startsWith("-") && !word.matches("-[0-9.].*");
    }

    /// Another tool's name, else one near miss: the help lists all.
    private String unknownOption(CommandSpec command, String word) {
        CommandSpec with = command.subcommands().isEmpty() ? command
                : Objects.requireNonNull(commands.getSubcommands().get("run")).getCommandSpec();
        String run = with.equals(command) ? "" : " Start with inferometer run.";
        Optional<String> other = OtherToolsOption.find(word)
                .filter(each -> with.optionsMap().containsKey(each.option())).map(each -> each.sentence(word) + run);
        List<String> options = command.options().stream().filter(option -> !option.hidden())
                .map(OptionSpec::longestName).sorted().toList();
        String elsewhere = commands.getCommandSpec().optionsMap().containsKey(word)
                ? " Write it before the command: inferometer " + word + " …" : "";
        return other.orElseGet(() -> "Unknown option \"" + OneLine.of(word) + "\"." + NearMisses.of(word, options)
                .stream().findFirst().map(near -> " Did you mean " + near + "?").orElse(elsewhere));
    }

    /// The subcommands that the help lists.
    static List<String> visible(CommandSpec command) {
        return command.subcommands().values().stream().filter(each -> !each.getCommandSpec().usageMessage().hidden())
                .map(CommandLine::getCommandName).toList();
    }

    private static String sentence(String message) {
        return message.endsWith(".") || message.endsWith("?") ? message : message + ".";
    }

    private int commandError(Exception fault, CommandLine command, CommandLine.ParseResult parsed) {
        if (root.verbose()) {
            fault.printStackTrace(terminal.err());
        }
        return switch (fault) {
            case UsageException usage -> {
                usage.faults().forEach(sentence -> terminal.fault(root.masked(sentence)));
                yield codeOf(usage);
            }
            case PlanException plan -> {
                faults(plan.faults());
                yield codeOf(plan);
            }
            case EnvFileException file -> refused(file);
            case PluginException jar -> refused(jar);
            case CommandException failed -> failed(String.valueOf(failed.getMessage()), failed);
            case IOException file -> failed(FileFault.sentence(file), file);
            case EngineFormatException engine -> failed(String.valueOf(engine.getMessage()), engine);
            case InvalidPathException path -> {
                terminal.fault(root.masked(LocaleCharset.sentence(path)));
                yield ExitCodes.USAGE_ERROR;
            }
            case InterruptedException interrupted -> {
                Thread.currentThread().interrupt();
                terminal.fault("Interrupted.");
                yield ExitCodes.RUN_FAILED;
            }
            default -> failed("Internal error in \"" + command.getCommandSpec().qualifiedName() + "\": " + fault
                    + ". Run again with --verbose for the stack trace.", fault);
        };
    }

    /// A file that does not fit into the heap is no wrong use.
    private static int codeOf(Exception fault) {
        return fault.getCause() instanceof FileTooLargeException ? ExitCodes.RUN_FAILED : ExitCodes.USAGE_ERROR;
    }

    private void faults(List<PlanFault> faults) {
        List<String> distinct = faults.stream().map(PlanFault::toString).distinct().toList();
        distinct.stream().limit(MOST_FAULTS).forEach(sentence -> terminal.fault(root.masked(sentence)));
        if (distinct.size() > MOST_FAULTS) {
            terminal.fault((distinct.size() - MOST_FAULTS) + " more. Repair these first.");
        }
    }

    private int refused(RuntimeException fault) {
        terminal.fault(String.valueOf(fault.getMessage()));
        return ExitCodes.USAGE_ERROR;
    }

    private int failed(String sentence, Throwable fault) {
        System.getLogger(Cli.class.getName()).log(Level.DEBUG, sentence, fault);
        terminal.fault(root.masked(sentence));
        return ExitCodes.RUN_FAILED;
    }
}
