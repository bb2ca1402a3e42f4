package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.units.PlainText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `suite list`: the test configurations of a folder, and which of them are chosen.
@Command(name = "list",
        description = "List the test configurations of a folder, at any depth: {type}/{category}/*.yaml. Tests that the options leave out are listed with the reason.",
        footer = {"", "Examples:", "  inferometer suite list test_configs",
                "  inferometer suite list test_configs -m perf -k \"1k1k and not tep8\" --gpu GB200",
                "  inferometer suite list test_configs --test-list tests.txt --json", ""})
public final class SuiteListCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "DIR", description = "Folder with test configurations (*.yaml).")
    Path folder = Path.of("");

    @Mixin
    SelectionOptions options = new SelectionOptions();

    public SuiteListCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints for a file.
    private sealed interface ListedFile {}

    /// @param kind "test"
    /// @param leftOut why; absent for a chosen test
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    private record TestLine(String kind, String id, String file, String model, List<String> gpus, String load,
            String servers, boolean refused, Optional<String> leftOut) implements ListedFile {}

    /// @param kind "experiment" or "unreadable"
    /// @param runs of an experiment; 0 for others
    private record OtherLine(String kind, String file, int runs, List<PlanFault> faults) implements ListedFile {}

    @Override
    public Integer call() throws UsageException {
        SuiteContents contents = SuiteContents.read(folder, options.selection(services().environment()));
        List<ListedFile> lines = contents.files().stream().map(file -> line(contents, file)).toList();
        List<TestLine> tests = lines.stream().filter(TestLine.class::isInstance).map(TestLine.class::cast).toList();
        print(lines, () -> text(tests, others(contents.files())));
        return ExitCodes.DONE;
    }

    private static ListedFile line(SuiteContents contents, SuiteFile file) {
        String shown = contents.suite().shown(file.file());
        return switch (file) {
            case TestFile test -> new TestLine("test", PlainText.of(test.id().toString()), shown,
                    test.configuration().metadata().modelName(), test.configuration().metadata().supportedGpus(),
                    test.configuration().load(), test.configuration().servers(), test.isRefused(),
                    contents.selection().reason(test));
            case SuiteFile.ExperimentFile experiment ->
                new OtherLine("experiment", shown, experiment.runs(), experiment.faults());
            case SuiteFile.UnreadableFile unreadable -> new OtherLine("unreadable", shown, 0, unreadable.faults());
        };
    }

    private static String others(List<SuiteFile> files) {
        long experiments = files.stream().filter(SuiteFile.ExperimentFile.class::isInstance).count();
        long unreadable = files.stream().filter(SuiteFile.UnreadableFile.class::isInstance).count();
        return (experiments == 0 ? "" : " Experiments: " + experiments + ".")
                + (unreadable == 0 ? "" : " Files that cannot be read: " + unreadable + ", see suite validate.");
    }

    private String text(List<TestLine> lines, String others) {
        AlignedColumns table = new AlignedColumns("TEST", "LOAD", "SERVERS", "STATE");
        for (TestLine line : lines) {
            table.row(line.id, line.load, line.servers,
                    line.leftOut.map(reason -> "left out: " + reason).orElse(line.refused ? "REFUSED" : "chosen"));
        }
        long chosen = lines.stream().filter(line -> line.leftOut.isEmpty()).count();
        String summary =
                chosen + " of " + lines.size() + (lines.size() == 1 ? " test" : " tests") + " chosen." + others + "\n";
        return lines.isEmpty() ? summary : table.render(terminal().columns()) + "\n" + summary;
    }
}
