package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.UnreadableFile;
import org.inferometer.units.PlainText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `suite list`: the test configurations and experiments of a folder, and which of them are chosen.
@Command(name = "list",
        description = "List the experiments and test configurations of a folder, at any depth: {type}/{category}/*.yaml. Those that the options leave out are listed with the reason.",
        footer = {"", "Examples:", "  inferometer suite list test_configs",
                "  inferometer suite list experiments -k night",
                "  inferometer suite list test_configs -m perf -k \"1k1k and not tep8\" --gpu GB200",
                "  inferometer suite list test_configs --test-list tests.txt --json", ""})
public final class SuiteListCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "DIR",
            description = "Folder with experiments or test configurations (*.yaml).")
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
    /// @param leftOut why; absent for a chosen file
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    private record OtherLine(String kind, String id, String file, int runs, List<PlanFault> faults,
            Optional<String> leftOut) implements ListedFile {}

    @Override
    public Integer call() throws UsageException {
        SuiteContents contents = SuiteContents.read(folder, options.selection(services().environment()));
        List<ListedFile> lines = contents.files().stream().map(file -> line(contents, file)).toList();
        print(lines, () -> text(contents));
        return ExitCodes.DONE;
    }

    private static ListedFile line(SuiteContents contents, SuiteFile file) {
        String shown = contents.suite().shown(file.file());
        return switch (file) {
            case TestFile test -> new TestLine("test", PlainText.of(test.id().toString()), shown,
                    test.configuration().metadata().modelName(), test.configuration().metadata().supportedGpus(),
                    test.configuration().load(), test.configuration().servers(), test.isRefused(),
                    contents.selection().reason(test));
            case ExperimentFile experiment -> new OtherLine("experiment", contents.suite().id(file), shown,
                    experiment.runs(), experiment.faults(), contents.reason(file));
            case UnreadableFile unreadable -> new OtherLine("unreadable", contents.suite().id(file), shown, 0,
                    unreadable.faults(), contents.reason(file));
        };
    }

    private String text(SuiteContents contents) {
        AlignedColumns table = new AlignedColumns("TEST", "LOAD", "SERVERS", "STATE");
        for (SuiteFile file : contents.files()) {
            String leftOut = contents.reason(file).map(reason -> "left out: " + reason).orElse("");
            String id = contents.suite().id(file);
            switch (file) {
                case TestFile test -> table.row(id, test.configuration().load(), test.configuration().servers(),
                        state(leftOut, test.isRefused() ? "REFUSED" : ""));
                case ExperimentFile experiment ->
                    table.row(id, experiment.spec().map(SuiteListCommand::loads).orElse(""),
                            experiment.spec().map(SuiteListCommand::systems).orElse(""),
                            state(leftOut, experiment.faults().isEmpty() ? "" : "INVALID"));
                case UnreadableFile unreadable -> table.row(id, "", "", state(leftOut, "UNREADABLE"));
            }
        }
        int all = contents.files().size();
        long chosen = contents.files().stream().filter(file -> contents.reason(file).isEmpty()).count();
        return table.render(terminal().columns()) + "\n" + chosen + " of " + all + (all == 1 ? " test" : " tests")
                + " chosen.\n";
    }

    private static String state(String leftOut, String fault) {
        return !leftOut.isEmpty() ? leftOut : fault.isEmpty() ? "chosen" : fault;
    }

    private static String loads(ExperimentSpec spec) {
        return spec.workloads().stream().map(load -> load.name() + " (" + load.sizeText() + ")")
                .collect(Collectors.joining(", "));
    }

    private static String systems(ExperimentSpec spec) {
        String engines = String.join(", ", spec.engines());
        return (engines.isEmpty() ? "" : engines + " under ") + String.join(", ", spec.systems());
    }
}
