package org.inferometer.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.WrongUse;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.ComparisonText;
import org.inferometer.report.compare.ResultComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `compare`: holds results against a base, over runs.
@Command(name = "compare",
        description = "Compares results with a base: who is faster, by how much, and how sure that is.",
        footer = {"",
                "A base of one cell is held against every cell of the candidates, a base of several against the cells of equal name.",
                "", "Examples:", "  inferometer compare 2026-11-20_141503_quick latest",
                "  inferometer compare latest#1 latest#2 latest#3", "  inferometer compare before after --json", ""})
public final class CompareCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(index = "0", paramLabel = "BASE", description = ResultSides.HELP)
    String base = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "CANDIDATE", description = "The same, one or more.")
    List<String> candidates = new ArrayList<>();

    @Option(names = "--anyway", description = "Rank results that are not comparable; what differs is still listed.")
    boolean anyway;

    @Mixin
    JsonOption json = new JsonOption();

    public CompareCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws WrongUse {
        ResultSides sides = new ResultSides(root.services());
        List<ComparedSide> against = sides.named(base);
        List<List<ComparedSide>> compared = new ArrayList<>();
        for (String candidate : candidates) {
            compared.add(sides.named(candidate));
        }
        ResultComparison comparison = ResultComparison.of(against, compared, anyway);
        if (comparison.pairs().isEmpty()) {
            throw new WrongUse(nothing(against, compared.stream().flatMap(List::stream).toList()));
        }
        Terminal terminal = root.terminal();
        if (json.asked) {
            json.print(terminal, comparison);
        } else {
            terminal.out().print(ComparisonText.of(comparison, terminal.columns()));
            terminal.out().flush();
        }
        return ExitCodes.DONE;
    }

    /// Why no cell met another.
    private String nothing(List<ComparedSide> against, List<ComparedSide> compared) {
        String named = String.join(", ", candidates);
        List<String> bases = against.stream().map(ComparedSide::name).toList();
        return compared.stream().map(ComparedSide::name).allMatch(bases::contains) ? named
                + " is the base itself, so there is nothing to compare. Name another result, or two of its cells, as RESULT#1 RESULT#2."
                : "Nothing of " + named + " has a counterpart in " + base
                        + ": no cell of one is named as a cell of the other. " + base + " has " + labels(against) + "; "
                        + named + " has " + labels(compared)
                        + ". Name one cell of the base, as RESULT#1, to hold every candidate against it.";
    }

    private static String labels(List<ComparedSide> sides) {
        return String.join(", ", sides.stream().map(side -> side.cell().label()).distinct().toList());
    }
}
