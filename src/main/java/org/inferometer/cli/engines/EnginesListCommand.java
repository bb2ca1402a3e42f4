package org.inferometer.cli.engines;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.InterruptedBuild;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/// `engines list`: the engines of the workspace.
@Command(name = "list", description = "List engines with state, size and origin of their weights.",
        footer = {"", "Example:", "  inferometer engines list", ""})
public final class EnginesListCommand extends JsonCommand {
    public EnginesListCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() {
        List<EngineLine> lines = services().engines().entries().stream().map(this::line).toList();
        print(lines, () -> text(lines));
        return ExitCodes.DONE;
    }

    private String text(List<EngineLine> lines) {
        if (lines.isEmpty()) {
            List<String> places = services().workspace().engineFolders().stream().map(Path::toString).toList();
            return "No engines in " + String.join(" or ", places)
                    + ". Choose another workspace with --workspace DIR.\n";
        }
        AlignedColumns table =
                new AlignedColumns("NAME", "MODEL", "PRECISION", "PARAMETERS>", "STATE", "SIZE>", "ORIGIN");
        for (EngineLine line : lines) {
            table.row(line.name, orDash(line.model), orDash(line.precision),
                    line.parameters == null ? "-" : parameters(line.parameters), line.state.label(),
                    line.weightBytes == null ? "-" : QuantityText.bytes(line.weightBytes),
                    line.problem.isEmpty() ? orDash(line.origin) : line.problem);
        }
        boolean built = lines.stream().noneMatch(line -> line.state == EngineEntry.State.RECIPE_ONLY);
        return table.render(terminal().columns()) + (built ? ""
                : "\nSize of an engine that is not built: what \"inferometer engines build NAME\" will write.\n")
                + interrupted();
    }

    /// A line for each interrupted build of the workspace.
    private String interrupted() {
        Path engines = services().workspace().engines();
        try {
            return InterruptedBuild.in(engines).stream().map(build -> "\nInterrupted build of " + build.engine() + ": "
                    + QuantityText.bytes(build.bytes())
                    + " are written. Build it again to go on, or delete them with \"inferometer results prune --yes\".\n")
                    .collect(Collectors.joining());
        } catch (IOException unreadable) {
            return "";
        }
    }

    /// One engine, as `--json` prints it; unknown properties are null.
    private record EngineLine(String name, @Nullable String model, @Nullable String precision,
            @Nullable Long parameters, EngineEntry.State state, @Nullable Long weightBytes, @Nullable String origin,
            String problem) {}

    private EngineLine line(EngineEntry entry) {
        Optional<EngineInspection> inside = inside(entry);
        return new EngineLine(entry.name(), inside.map(EngineInspection::model).orElse(null),
                inside.map(found -> found.precision().id()).orElse(null),
                inside.map(EngineInspection::parameters).orElse(null), entry.state(),
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

    private static String orDash(@Nullable String text) {
        return text == null ? "-" : text;
    }

    /// "15.2 M", "1.10 G".
    static String parameters(long count) {
        return count >= 1_000_000_000L ? QuantityText.significant(count / 1e9) + " G"
                : count >= 1_000_000L ? QuantityText.significant(count / 1e6) + " M"
                : Long.toString(count);
    }
}
