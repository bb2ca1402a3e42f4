package org.inferometer.cli.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.ComparisonReport;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `compare`: compares results with a base.
@Command(name = "compare",
        description = "Compare results with a base: the difference of each metric, with its confidence interval.",
        footer = {"", "A base with one cell is compared with every cell of the candidates; a base with several cells,",
                "with the cells of the same name.", "", "Examples:",
                "  inferometer compare 2026-11-20_141503_quick latest",
                "  inferometer compare latest#1 latest#2 latest#3", "  inferometer compare before after --json",
                "  inferometer compare before after --report compare.html", ""})
public final class CompareCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "BASE", description = ResultSides.HELP)
    String base = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "CANDIDATE",
            description = "One or more results, written like BASE.")
    List<String> candidates = new ArrayList<>();

    @Option(names = "--anyway", description = "Rank results that are not comparable. The differences are still listed.")
    boolean anyway;

    @Option(names = "--same-model",
            description = "The models of both sides are one, whatever their names: an engine and its file on a server.")
    boolean sameModel;

    @Option(names = "--report", paramLabel = "FILE",
            description = "Also write a report with charts; the ending decides: .html, .pdf, .md or .txt.")
    @Nullable
    Path report;

    public CompareCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        Path file = report;
        Optional<ReportFormat> format =
                Optional.ofNullable(file).flatMap(ReportFormat::of).filter(Reports.OF_COMPARISONS::contains);
        if (file != null && format.isEmpty()) {
            throw new UsageException(
                    file + " is not a report: its name must end in .html, .pdf, .md or .txt. Figures: --json.");
        }
        ResultSides sides = new ResultSides(services(), file != null);
        List<ComparedSide> against = sides.find(base);
        List<List<ComparedSide>> compared = new ArrayList<>();
        for (String candidate : candidates) {
            compared.add(sameModel ? sides.findCalling(candidate, against.getFirst().model()) : sides.find(candidate));
        }
        ResultComparison comparison = ResultComparison.of(against, compared, anyway, sides.variation());
        if (comparison.pairs().isEmpty()) {
            throw new UsageException(nothingToCompare(against, compared.stream().flatMap(List::stream).toList()));
        }
        List<Path> written = file == null ? List.of() : write(comparison, format.orElse(ReportFormat.HTML), file);
        Terminal terminal = terminal();
        print(comparison, () -> ComparisonReport.of(comparison, terminal.columns()) + written.stream()
                .map(each -> "wrote " + PlainText.of(each.toString()) + "\n").collect(Collectors.joining()));
        return ExitCodes.DONE;
    }

    private List<Path> write(ResultComparison comparison, ReportFormat format, Path file) throws CommandException {
        String command = Stream.concat(Stream.of(base), candidates.stream()).map(RunCommandLine::quoted)
                .collect(Collectors.joining(" ", "inferometer compare ",
                        (anyway ? " --anyway" : "") + (sameModel ? " --same-model" : "")));
        try {
            return services().reports().of(comparison, command, ReportOutline.USUAL).write(format, file);
        } catch (IOException e) {
            throw new CommandException(
                    "Cannot write the report: " + FileFault.describe(e) + ". Choose another file with --report.", e);
        }
    }

    /// The reason why no cells are compared.
    private String nothingToCompare(List<ComparedSide> against, List<ComparedSide> compared) {
        String named = String.join(", ", candidates);
        List<String> bases = against.stream().map(ComparedSide::name).toList();
        return compared.stream().map(ComparedSide::name).allMatch(bases::contains)
                ? named + " is the base itself. Name another result, or two of its cells (RESULT#1 RESULT#2)."
                : named + " and " + base + " have no cell name in common. " + base + " has " + labels(against) + "; "
                        + named + " has " + labels(compared)
                        + ". Name one cell of the base (RESULT#1) to compare it with every candidate.";
    }

    private static String labels(List<ComparedSide> sides) {
        return String.join(", ", sides.stream().map(side -> side.label()).distinct().toList());
    }
}
