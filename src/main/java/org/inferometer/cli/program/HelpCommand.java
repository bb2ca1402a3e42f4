package org.inferometer.cli.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.UsageException;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `help`: the help of a command or of a topic.
@Command(name = "help", description = "Show the help of a command or a topic.",
        footer = {"", "Examples:", "  inferometer help", "  inferometer help run", "  inferometer help schedulers",
                "  inferometer help engines build", ""})
final class HelpCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(arity = "0..2", paramLabel = "TOPIC",
            description = "A command, or presets, schedulers, workloads, arrivals, backends, targets, sweeps, slos, metrics.")
    List<String> topic = new ArrayList<>();

    @Spec
    @Nullable
    CommandSpec spec;

    HelpCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws UsageException {
        Terminal terminal = root.terminal();
        boolean named = topic.size() == 1 && HelpTopics.NAMES.contains(topic.getFirst());
        Optional<String> text =
                named ? new HelpTopics(root.services(), terminal.columns()).text(topic.getFirst()) : Optional.empty();
        terminal.print(text.isPresent() ? text.get() : command().getUsageMessage());
        return ExitCodes.DONE;
    }

    private CommandLine command() throws UsageException {
        CommandLine found = Objects.requireNonNull(spec).root().commandLine();
        for (String word : topic) {
            CommandLine next = found.getSubcommands().get(word);
            if (next == null) {
                List<String> valid = new ArrayList<>(Cli.visible(found.getCommandSpec()));
                if (word.equals(topic.getFirst())) {
                    HelpTopics.NAMES.stream().filter(name -> !valid.contains(name)).forEach(valid::add);
                }
                throw new UsageException(NearMisses.sentence("topic", word, valid));
            }
            found = next;
        }
        return found;
    }
}
