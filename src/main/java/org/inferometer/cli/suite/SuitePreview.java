package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.launch.TrtllmLaunch;
import org.inferometer.suite.mapping.MappedTest;
import org.inferometer.suite.mapping.MappedTest.MappedField;
import org.inferometer.suite.mapping.MappedTest.MappedField.Use;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SessionPlanner.PlannedTest;

/// What a session would run, and what becomes of each field of its tests.
record SuitePreview(SessionPlanner planner, BenchmarkService service) {
    /// A test that would run, or why it would not.
    ///
    /// @param reasons why it would not run; empty if it would
    /// @param job nodes of the servers that it starts; empty if it starts none
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record PreviewLine(String id, List<ExperimentSpec> experiments, List<String> reasons, List<MappedField> fields,
            String job) {
        private int runs() {
            return experiments.stream().mapToInt(spec -> spec.cells().size() * spec.runs()).sum();
        }
    }

    List<PreviewLine> lines(List<SuiteFile> files) {
        return files.stream().map(this::line).toList();
    }

    private PreviewLine line(SuiteFile file) {
        PlannedTest planned = planner.planned(file);
        List<String> reasons = planned.reasons().isEmpty() ? planned.experiments().stream()
                .flatMap(spec -> service.check(spec).stream()).map(PlanFault::sentence).distinct().toList()
                : planned.reasons();
        String job =
                planned.reasons().isEmpty()
                        ? planned.mapped().flatMap(MappedTest::launch).map(TrtllmLaunch::placement)
                                .map(placement -> placement.nodes() + " nodes with " + placement.gpusPerNode()
                                        + " GPUs each. Its files and commands: inferometer suite launch")
                                .orElse("")
                        : "";
        return new PreviewLine(planner.id(file), planned.experiments(), reasons,
                planned.mapped().map(MappedTest::fields).orElse(List.of()), job);
    }

    static String text(List<PreviewLine> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(text(line)).append('\n'));
        long ready = lines.stream().filter(line -> line.reasons.isEmpty()).count();
        int runs = lines.stream().filter(line -> line.reasons.isEmpty()).mapToInt(PreviewLine::runs).sum();
        return text + (ready + " of " + lines.size() + (lines.size() == 1 ? " test" : " tests") + " can run, with "
                + runs + (runs == 1 ? " run" : " runs") + ". Nothing was run.\n");
    }

    private static String text(PreviewLine line) {
        Stream<String> head = Stream.of(line.id + (line.reasons.isEmpty() ? "" : ": cannot run"));
        Stream<String> job = Stream.of(line.job).filter(text -> !text.isEmpty()).map(text -> "  job: " + text);
        Stream<String> why = line.reasons.stream().map(reason -> "  " + reason);
        Stream<String> experiments =
                line.experiments.stream()
                        .map(spec -> "  "
                                + spec.engines().stream().map(engine -> engine + " under ")
                                        .collect(Collectors.joining())
                                + String.join(", ", spec.systems()) + ": "
                                + spec.workloads().stream().map(load -> load.name() + " (" + load.sizeText() + ")")
                                        .collect(Collectors.joining(", ")));
        Stream<String> fields = line.experiments.isEmpty() ? Stream.empty() : fields(line);
        return Stream.of(head, why, job, experiments, fields).flatMap(lines -> lines).collect(Collectors.joining("\n"))
                + "\n";
    }

    /// Fields that do less than they say, by their reason; the others as a number.
    private static Stream<String> fields(PreviewLine line) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (MappedField field : line.fields) {
            if (field.use() != Use.USED) {
                byReason.computeIfAbsent(word(field.use()) + field.sentence(), reason -> new ArrayList<>())
                        .add(field.field());
            }
        }
        long used = line.fields.stream().filter(field -> field.use() == Use.USED).count();
        Stream<String> count = used == 0 ? Stream.empty() : Stream.of("  " + used + " fields used");
        return Stream.concat(count, byReason.entrySet().stream()
                .map(reason -> "  " + reason.getKey() + " " + String.join(", ", reason.getValue())));
    }

    private static String word(Use use) {
        return use.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": ";
    }
}
