package org.inferometer.cli.engines;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `engines list`: every engine of the workspace with its state, size and origin.
@Command(name = "list",
        description = "Lists the engines of the workspace: what they are, whether they are built, and where their weights come from.",
        footer = {"", "Example:", "  inferometer engines list", ""})
public final class EnginesListCommand implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    JsonOption json = new JsonOption();

    public EnginesListCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        List<Line> lines = root.services().engines().entries().stream().map(this::line).toList();
        if (json.asked) {
            json.print(root.terminal(), lines);
            return ExitCodes.DONE;
        }
        if (lines.isEmpty()) {
            List<String> places = root.services().workspace().engineFolders().stream().map(Path::toString).toList();
            root.terminal().out().println("There is no engine in " + String.join(" or ", places)
                    + ". Choose another folder with --workspace DIR.");
            return ExitCodes.DONE;
        }
        AlignedColumns table =
                new AlignedColumns("NAME", "MODEL", "PRECISION", "PARAMETERS>", "STATE", "SIZE>", "ORIGIN");
        for (Line line : lines) {
            table.row(line.name, word(line.model), word(line.precision),
                    line.parameters == null ? "-" : parameters(line.parameters), line.state,
                    line.weightBytes == null ? "-" : QuantityText.bytes(line.weightBytes),
                    line.problem.isEmpty() ? word(line.origin) : line.problem);
        }
        root.terminal().out().print(table.render(root.terminal().columns()));
        if (lines.stream().anyMatch(line -> line.state.equals("not built"))) {
            root.terminal().out().println(
                    "\nThe size of an engine that is not built is what \"inferometer engines build NAME\" will write.");
        }
        root.terminal().out().flush();
        return ExitCodes.DONE;
    }

    /// One engine; what could not be read is absent.
    private record Line(String name, @Nullable String model, @Nullable String precision, @Nullable Long parameters,
            String state, @Nullable Long weightBytes, @Nullable String origin, String problem) {}

    private Line line(EngineEntry entry) {
        Optional<EngineInspection> inside = inside(entry);
        return new Line(entry.name(), inside.map(EngineInspection::model).orElse(null),
                inside.map(found -> found.precision().word()).orElse(null),
                inside.map(EngineInspection::parameters).orElse(null), state(entry.state()),
                inside.map(found -> found.memory().weightBytes()).orElse(null),
                inside.map(EngineInspection::origin).orElse(null), entry.problem());
    }

    private Optional<EngineInspection> inside(EngineEntry entry) {
        if (entry.state() == EngineEntry.State.DAMAGED) {
            return Optional.empty();
        }
        try {
            return Optional.of(entry.inspect());
        } catch (EngineFormatException unreadable) {
            return Optional.empty();
        }
    }

    static String state(EngineEntry.State state) {
        return switch (state) {
            case RECIPE_ONLY -> "not built";
            case BUILT -> "built";
            case DAMAGED -> "damaged";
        };
    }

    private static String word(@Nullable String text) {
        return text == null ? "-" : text;
    }

    /// "15.2 M", "1.10 G".
    static String parameters(long count) {
        return count >= 1_000_000_000L ? QuantityText.significant(count / 1e9) + " G"
                : count >= 1_000_000L ? QuantityText.significant(count / 1e6) + " M"
                : Long.toString(count);
    }
}
