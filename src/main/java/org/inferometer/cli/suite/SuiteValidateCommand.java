package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.suite.serving.TestConfiguration.Finding.Severity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `suite validate`: checks all experiments and test configurations of a folder.
@Command(name = "validate",
        description = "Check all experiments and test configurations of a folder, at any depth. Lists every finding with file and line: errors of the framework's code, warnings where its documentation asks for more, notes. Exits with 1 if there are errors, with 2 if a file cannot be read or there is none.",
        footer = {"", "Examples:", "  inferometer suite validate experiments",
                "  inferometer suite validate test_configs -m perf --strict",
                "  inferometer suite validate test_configs --json", ""})
public final class SuiteValidateCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "DIR",
            description = "Folder with experiments or test configurations (*.yaml).")
    Path folder = Path.of("");

    @Option(names = "--strict", description = "Warnings count as errors.")
    boolean strict;

    @Mixin
    SelectionOptions options = new SelectionOptions();

    public SuiteValidateCommand(RootCommand root) {
        super(root);
    }

    private enum State {
        @JsonProperty("valid")
        VALID, @JsonProperty("invalid")
        INVALID, @JsonProperty("unreadable")
        UNREADABLE, @JsonProperty("left out")
        LEFT_OUT;

        /// As the table has it; what needs a repair is in capitals.
        String text() {
            return switch (this) {
                case VALID -> "valid";
                case INVALID -> "INVALID";
                case UNREADABLE -> "UNREADABLE";
                case LEFT_OUT -> "left out";
            };
        }
    }

    /// What `--json` prints for a file.
    ///
    /// @param test its id; absent for an experiment
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    private record ValidatedLine(String file, State state, Optional<String> test, int runs, List<PlanFault> faults,
            List<Finding> findings) {}

    @Override
    public Integer call() throws UsageException {
        SuiteContents contents = SuiteContents.read(folder, options.selection(services().environment()));
        contents.chosen();
        List<ValidatedLine> lines = contents.files().stream().map(file -> line(contents, file)).toList();
        List<String> unreadable = lines.stream().filter(line -> line.state == State.UNREADABLE)
                .flatMap(line -> line.faults.stream()).map(PlanFault::toString).toList();
        print(lines, () -> table(lines).render(terminal().columns()) + findings(lines));
        // A file that cannot be read is not judged.
        UsageException.throwIfAny(unreadable);
        return lines.stream().noneMatch(line -> line.state == State.INVALID) ? ExitCodes.DONE
                : ExitCodes.VERDICT_FAILED;
    }

    private ValidatedLine line(SuiteContents contents, SuiteFile file) {
        String shown = contents.suite().shown(file.file());
        return switch (file) {
            case SuiteFile.ExperimentFile experiment ->
                new ValidatedLine(shown, experiment.faults().isEmpty() ? State.VALID : State.INVALID, Optional.empty(),
                        experiment.runs(), experiment.faults(), List.of());
            case SuiteFile.UnreadableFile broken ->
                new ValidatedLine(shown, State.UNREADABLE, Optional.empty(), 0, broken.faults(), List.of());
            case SuiteFile.TestFile test -> {
                boolean chosen = contents.selection().reason(test).isEmpty();
                boolean bad = test.findings().stream().anyMatch(this::counts);
                yield new ValidatedLine(shown, !chosen ? State.LEFT_OUT : bad ? State.INVALID : State.VALID,
                        Optional.of(test.id().toString()), 0, List.of(), chosen ? test.findings() : List.of());
            }
        };
    }

    private boolean counts(Finding finding) {
        return finding.severity() == Severity.ERROR || (strict && finding.severity() == Severity.WARNING);
    }

    private static AlignedColumns table(List<ValidatedLine> lines) {
        AlignedColumns table = new AlignedColumns("FILE", "RUNS>", "STATE");
        for (ValidatedLine line : lines) {
            boolean experiment = line.test.isEmpty();
            table.row(line.file, experiment && line.state == State.VALID ? String.valueOf(line.runs) : "-",
                    line.state.text());
        }
        return table;
    }

    /// A finding a line, as compilers write them.
    private static String findings(List<ValidatedLine> lines) {
        List<String> texts = new ArrayList<>();
        for (ValidatedLine line : lines) {
            line.faults.forEach(fault -> texts.add(fault.toString()));
            line.findings.forEach(finding -> texts.add(text(line.file, finding)));
        }
        return texts.isEmpty() ? "" : "\n" + String.join("\n", texts) + "\n";
    }

    /// "disagg/perf/a.yaml:12: error: max_seq_len: ... Found 2048, wanted above 2048."
    private static String text(String file, Finding finding) {
        String values = finding.wanted().isEmpty() || finding.severity() == Severity.NOTE ? "" : " Found "
                + (finding.found().isEmpty() ? "nothing" : finding.found()) + ", wanted " + finding.wanted() + ".";
        return file + ":" + finding.line() + ": " + finding.severity().name().toLowerCase(Locale.ROOT) + ": "
                + finding.rule() + ": " + finding.sentence() + values;
    }
}
