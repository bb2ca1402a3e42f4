package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecReader;
import org.inferometer.report.AlignedColumns;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.Suite;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.UnreadableFile;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.suite.serving.TestConfiguration.Finding.Severity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `suite validate`: checks all experiments and test configurations of a folder.
@Command(name = "validate",
        description = "Check all experiments and test configurations of a folder, at any depth. Lists every finding with file and line: errors of the framework's code, warnings where its documentation asks for more, notes. Engines, schedulers, targets and options of experiments are looked up here. Exits with 1 if there are errors, with 2 if a file cannot be read or there is none.",
        footer = {"", "Examples:", "  inferometer suite validate experiments",
                "  inferometer suite validate test_configs -m perf --strict",
                "  inferometer suite validate test_configs --json", ""})
public final class SuiteValidateCommand extends JsonCommand {
    /// Fields whose faults another machine may not have.
    private static final Set<String> OF_THE_MACHINE =
            Set.of(ExperimentFields.ENGINES.name(), ExperimentFields.BACKEND.name(), ExperimentFields.KV_MEMORY.name());

    @Parameters(index = "0", paramLabel = "DIR",
            description = "Folder with experiments or test configurations (*.yaml).")
    Path folder = Path.of("");

    @Option(names = "--strict", description = "Warnings count as errors.")
    boolean strict;

    @Option(names = "--elsewhere",
            description = "The experiments run on another machine: do not look for their engines and devices here.")
    boolean elsewhere;

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
        Optional<String> id = file instanceof TestFile test ? Optional.of(test.id().toString()) : Optional.empty();
        if (contents.reason(file).isPresent()) {
            return new ValidatedLine(shown, State.LEFT_OUT, id, 0, List.of(), List.of());
        }
        List<PlanFault> faults = new ArrayList<>(contents.sameName(file));
        return switch (file) {
            case ExperimentFile experiment -> {
                faults.addAll(experiment.faults());
                experiment.spec().ifPresent(spec -> faults.addAll(planned(contents.suite(), file.file(), spec)));
                yield new ValidatedLine(shown, faults.isEmpty() ? State.VALID : State.INVALID, id, experiment.runs(),
                        faults, List.of());
            }
            case UnreadableFile broken -> new ValidatedLine(shown, State.UNREADABLE, id, 0, broken.faults(), List.of());
            case TestFile test -> new ValidatedLine(shown,
                    faults.isEmpty() && test.findings().stream().noneMatch(this::counts) ? State.VALID : State.INVALID,
                    id, 0, faults, test.findings());
        };
    }

    /// Faults of the plan. Targets and loads that use something outside the folder are not looked at: nobody approved it.
    private List<PlanFault> planned(Suite suite, Path file, ExperimentSpec spec) {
        BenchmarkService service = services().benchmarks().apply(services().workspace().results());
        boolean foreign = service.accesses(spec).stream().anyMatch(access -> !access.isFileIn(folder));
        if (foreign && spec.engines().isEmpty()) {
            return List.of();
        }
        ExperimentSpec own = !foreign ? spec
                : ExperimentFields.TARGETS.with(spec.withWorkloads(ExperimentSpec.STANDARD.workloads()), List.of());
        List<PlanFault> faults = service.check(own).stream()
                .filter(fault -> !elsewhere || !OF_THE_MACHINE.contains(fault.where())).toList();
        return new SpecReader().located(file, faults).stream().map(fault -> suite.inSuite(file, fault)).toList();
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
