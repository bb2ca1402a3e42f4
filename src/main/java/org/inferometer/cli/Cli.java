package org.inferometer.cli;

import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.inferometer.cli.compare.CompareCommand;
import org.inferometer.cli.compare.GateCommand;
import org.inferometer.cli.engines.EnginesBuildCommand;
import org.inferometer.cli.engines.EnginesCommand;
import org.inferometer.cli.engines.EnginesInspectCommand;
import org.inferometer.cli.engines.EnginesListCommand;
import org.inferometer.cli.engines.EnginesVerifyCommand;
import org.inferometer.cli.machine.DevicesCommand;
import org.inferometer.cli.machine.SelfCheckCommand;
import org.inferometer.cli.results.ExportCommand;
import org.inferometer.cli.results.ImportCommand;
import org.inferometer.cli.results.ReportCommand;
import org.inferometer.cli.results.ResultsCommand;
import org.inferometer.cli.results.ResultsListCommand;
import org.inferometer.cli.results.ResultsPruneCommand;
import org.inferometer.cli.results.ResultsShareCommand;
import org.inferometer.cli.results.ResultsShowCommand;
import org.inferometer.cli.results.ResultsStepsCommand;
import org.inferometer.cli.run.RunCommand;
import org.inferometer.cli.run.WorkerModeCommand;
import org.inferometer.cli.suite.SuiteCommand;
import org.inferometer.cli.suite.SuiteValidateCommand;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.units.NearMisses;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line: reads the arguments, runs the command, and returns the exit code.
///
/// Whatever goes wrong, people see sentences on standard error and no stack trace; details go to the log, and to standard error with
/// `--verbose`. Not shared between threads.
public final class Cli {
    private final RootCommand root;
    private final CommandLine commands;
    private final Terminal terminal;

    /// @param wiring asked for services only when a command needs them
    public Cli(CliWiring wiring, Terminal terminal) {
        this.terminal = terminal;
        this.root = new RootCommand(wiring, terminal);
        this.commands = new CommandLine(root).addSubcommand(new RunCommand(root))
                .addSubcommand(new CommandLine(new EnginesCommand()).addSubcommand(new EnginesListCommand(root))
                        .addSubcommand(new EnginesBuildCommand(root)).addSubcommand(new EnginesInspectCommand(root))
                        .addSubcommand(new EnginesVerifyCommand(root)))
                .addSubcommand(new CommandLine(new ResultsCommand()).addSubcommand(new ResultsListCommand(root))
                        .addSubcommand(new ResultsShowCommand(root)).addSubcommand(new ResultsStepsCommand(root))
                        .addSubcommand(new ResultsShareCommand(root)).addSubcommand(new ResultsPruneCommand(root)))
                .addSubcommand(new CommandLine(new SuiteCommand()).addSubcommand(new SuiteValidateCommand(root)))
                .addSubcommand(new CompareCommand(root)).addSubcommand(new GateCommand(root))
                .addSubcommand(new ImportCommand(root)).addSubcommand(new ExportCommand(root))
                .addSubcommand(new ReportCommand(root)).addSubcommand(new DevicesCommand(root))
                .addSubcommand(new SelfCheckCommand(root)).addSubcommand(new WorkerModeCommand(root))
                .addSubcommand(new HelpCommand(root));
        configure();
    }

    /// Runs one command; the exit code is 0 done, 1 a verdict or check failed, 2 wrong use, 3 a run failed.
    public int execute(String... arguments) {
        return commands.execute(arguments);
    }

    CommandLine commands() {
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
        commands.setParameterExceptionHandler(this::wrongArguments);
        commands.setExecutionExceptionHandler(this::broken);
        listNamesIn(Objects.requireNonNull(commands.getSubcommands().get("run")));
        commands.getCommandSpec().versionProvider(() -> new String[]{root.version()});
    }

    /// The registries' names stand before the examples, and are asked for only when the help is shown.
    private void listNamesIn(CommandLine run) {
        List<String> sections = new ArrayList<>(run.getHelpSectionKeys());
        sections.add(sections.indexOf(CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER), "names");
        run.setHelpSectionKeys(sections);
        run.getHelpSectionMap().put("names", help -> new HelpTopics(root.services(), terminal.columns()).names());
    }

    private int wrongArguments(ParameterException fault, String[] arguments) {
        CommandSpec command = fault.getCommandLine().getCommandSpec();
        List<String> sentences = new ArrayList<>();
        if (fault instanceof UnmatchedArgumentException unmatched) {
            unmatched.getUnmatched().forEach(word -> sentences.add(unknown(command, word)));
        } else {
            sentences.add(sentence(String.valueOf(fault.getMessage())));
        }
        sentences.forEach(terminal::fault);
        terminal.err().println("See: " + command.qualifiedName() + " --help");
        return ExitCodes.WRONG_USE;
    }

    private static String unknown(CommandSpec command, String word) {
        if (word.startsWith("-")) {
            List<String> options = command.options().stream().filter(option -> !option.hidden())
                    .map(OptionSpec::longestName).sorted().toList();
            return NearMisses.sentence("option", word.replaceFirst("=.*", ""), options);
        }
        if (!command.subcommands().isEmpty()) {
            return NearMisses.sentence("command", word, visible(command));
        }
        return "\"" + word + "\" is one argument too many.";
    }

    /// The subcommands that people call.
    static List<String> visible(CommandSpec command) {
        return command.subcommands().values().stream().filter(each -> !each.getCommandSpec().usageMessage().hidden())
                .map(CommandLine::getCommandName).toList();
    }

    private static String sentence(String message) {
        return message.endsWith(".") || message.endsWith("?") ? message : message + ".";
    }

    private int broken(Exception fault, CommandLine command, CommandLine.ParseResult parsed) {
        if (root.verbose()) {
            fault.printStackTrace(terminal.err());
        }
        return switch (fault) {
            case WrongUse wrong -> {
                wrong.faults().forEach(terminal::fault);
                yield ExitCodes.WRONG_USE;
            }
            case PlanException plan -> {
                plan.faults().stream().map(PlanFault::toString).forEach(terminal::fault);
                yield ExitCodes.WRONG_USE;
            }
            case CommandFailed failed -> failed(String.valueOf(failed.getMessage()), failed);
            case EngineFormatException engine -> failed(String.valueOf(engine.getMessage()), engine);
            case InterruptedException interrupted -> {
                Thread.currentThread().interrupt();
                terminal.fault("Stopped.");
                yield ExitCodes.RUN_FAILED;
            }
            default -> failed("A fault of this program stopped \"" + command.getCommandSpec().qualifiedName() + "\": "
                    + fault + ". Run it again with --verbose for the details.", fault);
        };
    }

    private int failed(String sentence, Exception fault) {
        System.getLogger(Cli.class.getName()).log(Level.DEBUG, sentence, fault);
        terminal.fault(sentence);
        return ExitCodes.RUN_FAILED;
    }
}
