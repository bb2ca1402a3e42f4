package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.figures.LogMetrics;
import org.inferometer.suite.figures.LogMetrics.LogValue;
import org.inferometer.suite.figures.SuiteFigures;
import org.inferometer.suite.serving.LogPattern;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.suite.serving.TestConfiguration.MetricsFields;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `suite metrics`: figures of logs that the framework's own client wrote.
@Command(name = "metrics",
        description = "Read the figures of tests from the logs of TensorRT-LLM's benchmark client: LOGS/TEST/6_bench.log, or the file and pattern of the test's metrics. They were measured elsewhere and enter no record. Exits with 1 if a log is missing or says less than its test expects.",
        footer = {"", "Examples:", "  inferometer suite metrics test_configs output/slurm_logs",
                "  inferometer suite metrics test_configs output/slurm_logs -k tep8 --json", ""})
public final class SuiteMetricsCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "DIR", description = "Folder with test configurations (*.yaml).")
    @Nullable
    Path folder;

    @Parameters(index = "1", paramLabel = "LOGS", description = "Folder with a folder of logs for each test.")
    @Nullable
    Path logs;

    @Mixin
    SelectionOptions options = new SelectionOptions();

    public SuiteMetricsCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints for a test.
    ///
    /// @param requests that the log counts; absent if it counts none
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record LogLine(String test, List<LogValue> values, OptionalLong requests, OptionalLong failed,
            List<String> findings) {}

    @Override
    public Integer call() throws UsageException {
        Path suite = folder;
        Path place = logs;
        if (suite == null || place == null || !Files.isDirectory(place)) {
            throw new UsageException(place + ": no such folder. Give the folder that has a folder for each test.");
        }
        SuiteContents contents = SuiteContents.read(suite, options.selection(services().environment()));
        List<LogLine> lines = contents.chosenTests().stream().map(test -> line(test, place)).toList();
        print(lines, () -> text(lines));
        return lines.stream().allMatch(line -> line.findings.isEmpty()) ? ExitCodes.DONE : ExitCodes.VERDICT_FAILED;
    }

    private static LogLine line(TestFile test, Path logs) {
        String id = PlainText.of(test.id().toString());
        try {
            LogMetrics read = read(test, place(logs, id.replace(':', '-')));
            return new LogLine(id, read.values(), read.requests(), read.failed(), read.findings());
        } catch (IOException e) {
            return missing(id, FileFault.sentence(e));
        } catch (IllegalArgumentException e) {
            return missing(id, String.valueOf(e.getMessage()));
        }
    }

    private static LogLine missing(String id, String why) {
        return new LogLine(id, List.of(), OptionalLong.empty(), OptionalLong.empty(), List.of(why));
    }

    /// The framework renames the folder of a failed test.
    private static Path place(Path logs, String test) {
        return Stream.of(test, test + "_ERROR").map(logs::resolve).filter(Files::isDirectory).findFirst()
                .orElse(logs.resolve(test));
    }

    private static LogMetrics read(TestFile test, Path place) throws IOException {
        if (!(test.configuration() instanceof Disaggregated servers) || servers.metrics().pattern().isEmpty()) {
            return LogMetrics.read(place.resolve(SuiteFigures.TEST_LOG), test.id().type());
        }
        MetricsFields fields = servers.metrics();
        String name = fields.logFile().isEmpty() ? SuiteFigures.TEST_LOG : fields.logFile();
        Path log = place.resolve(name).normalize();
        if (!log.startsWith(place.normalize())) {
            throw new IOException(
                    "The log \"" + PlainText.of(name) + "\" of the configuration leads out of " + place + ".");
        }
        return LogMetrics.read(log, LogPattern.parse(fields.pattern()), fields.names());
    }

    private String text(List<LogLine> lines) {
        AlignedColumns table = new AlignedColumns("TEST", "CONCURRENCY>", "METRIC", "VALUE>");
        for (LogLine line : lines) {
            table.row(line.test, "", counts(line), "");
            for (LogValue value : line.values) {
                table.row("", value.concurrency().isPresent() ? String.valueOf(value.concurrency().getAsInt()) : "",
                        value.metric(), String.format(Locale.ROOT, "%.2f", value.value()));
            }
            line.findings.forEach(finding -> table.row("", "", finding, ""));
        }
        return table.render(terminal().columns());
    }

    private static String counts(LogLine line) {
        return line.requests.isEmpty() ? "" : line.requests.getAsLong() + " requests"
                + (line.failed.isPresent() ? ", " + line.failed.getAsLong() + " failed" : "");
    }
}
