package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `report`: writes results as a document and their charts as files.
@Command(name = "report", description = "Write a report with charts of one or more results.",
        footer = {"", "Examples:", "  inferometer report latest", "  inferometer report latest --out report.pdf",
                "  inferometer report latest --format csv --out -",
                "  inferometer report latest --charts charts --chart-format svg",
                "  inferometer report latest --scheduler-suite suite", ""})
public final class ReportCommand extends JsonCommand {
    @Parameters(arity = "1..*", paramLabel = "RESULT",
            description = "Result IDs, folders or latest. Several results are compared.")
    List<String> named = new ArrayList<>();

    @Option(names = "--format", paramLabel = "FORMAT",
            description = "html, pdf, md, text, csv or json. Default: from the extension of --out, else html.")
    @Nullable
    String format;

    @Option(names = {"--out", "-o"}, paramLabel = "FILE",
            description = "Output file; - is standard output. Default: report.FORMAT in the folder of the first result.")
    @Nullable
    String out;

    @Option(names = "--charts", paramLabel = "DIR", description = "Write each chart as a file into this folder.")
    @Nullable
    Path charts;

    @Option(names = "--chart-format", paramLabel = "FORMAT", defaultValue = "png",
            description = "Format of these files: png (2x), svg or pdf. Default: ${DEFAULT-VALUE}.")
    String chartFormat = "png";

    @Option(names = "--scheduler-suite", paramLabel = "DIR",
            description = "Write benchmark_summaries.csv, benchmark_detailed_metrics.csv, benchmark_report.txt and charts of the results "
                    + "into this folder. Without --format and --out no other report is written.")
    @Nullable
    Path suite;

    @Mixin
    BaselineOption baseline = new BaselineOption();

    public ReportCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints.
    ///
    /// @param files the report, its parts, then the charts
    private record WrittenReport(String format, List<String> files) {}

    @Override
    public Integer call() throws UsageException, CommandException {
        ReportFormat chosen = chosenFormat();
        ChartFormat drawn =
                ChartFormat.named(chartFormat).orElseThrow(() -> new UsageException(NearMisses.sentence("chart format",
                        chartFormat, Arrays.stream(ChartFormat.values()).map(ChartFormat::id).toList())));
        if ("-".equals(out) && json) {
            throw new UsageException("--json and --out - both use standard output. Leave one out.");
        }
        ResultFinder choice = new ResultFinder(services());
        List<ExperimentRecord> experiments = new ArrayList<>();
        List<UsageException> faults = new ArrayList<>();
        for (String name : named) {
            try {
                experiments.add(baseline.over(choice.open(name)));
            } catch (UsageException fault) {
                faults.add(fault);
            }
        }
        if (!faults.isEmpty()) {
            throw UsageException.joined(faults);
        }
        write(experiments, chosen, drawn);
        return ExitCodes.DONE;
    }

    private void write(List<ExperimentRecord> experiments, ReportFormat chosen, ChartFormat drawn)
            throws CommandException {
        Reports.Report report = services().reports().of(experiments, ReportOutline.USUAL);
        Terminal terminal = terminal();
        Path file =
                out == null ? experiments.getFirst().folder().resolve("report." + chosen.extension()) : Path.of(out);
        List<Path> written = new ArrayList<>();
        try {
            if ("-".equals(out)) {
                byte[] bytes = report.bytes(chosen);
                terminal.out().write(bytes, 0, bytes.length);
                terminal.out().flush();
            } else if (suite == null || format != null || out != null) {
                written.addAll(report.write(chosen, file));
            }
            if (suite != null) {
                written.addAll(services().schedulerSuite().write(experiments, suite));
            }
            if (charts != null) {
                written.addAll(report.charts(charts, drawn));
            }
        } catch (IOException e) {
            throw new CommandException(
                    "Cannot write the report: " + FileFault.describe(e) + ". Choose another file with --out.", e);
        }
        print(new WrittenReport(chosen.id(), written.stream().map(each -> PlainText.of(each.toString())).toList()),
                () -> "-".equals(out) ? "" : written.stream()
                        .map(each -> "wrote " + PlainText.of(each.toString()) + "\n").collect(Collectors.joining()));
    }

    private ReportFormat chosenFormat() throws UsageException {
        if (format != null) {
            String word = format;
            return Arrays.stream(ReportFormat.values()).filter(each -> each.id().equals(word)).findFirst()
                    .orElseThrow(() -> new UsageException(NearMisses.sentence("format", word,
                            Arrays.stream(ReportFormat.values()).map(ReportFormat::id).toList())));
        }
        if (out == null || out.equals("-")) {
            return ReportFormat.HTML;
        }
        String file = out;
        return ReportFormat.of(Path.of(file)).orElseThrow(() -> new UsageException(file
                + " is not a report: its name must end in .html, .pdf, .md, .txt, .csv or .json. Or name a format with --format."));
    }
}
