package org.inferometer.report.document;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.Metric;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunRecord;
import org.inferometer.record.Verdict;
import org.inferometer.record.WindowUse;
import org.inferometer.report.ArrivalText;
import org.inferometer.report.Finding;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.ChartSource;
import org.inferometer.report.charts.ComparisonCharts;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.compare.BaselineComparison;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.ComparisonReport;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.DeploymentAnswer;
import org.inferometer.report.compare.Findings;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.Recommendations;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.report.compare.SchedulerExplanations.Paragraph;
import org.inferometer.report.compare.SettingTable;
import org.inferometer.report.compare.SideNames;
import org.inferometer.report.document.ReportOutline.ReportSection;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.QuantityText;
import org.inferometer.wording.ComparisonWording;
import org.inferometer.wording.HeadedText;
import org.inferometer.wording.Voice;

/// The content of a report, independent of its format, without host, user and paths.
///
/// @param outline its sections; the title is never empty
/// @param parts one per experiment, in the given order
/// @param comparison tables over all experiments
/// @param differences the environment where results differ; absent if they do not
/// @param definitions the metrics of the tables
/// @param exact whether host, user and paths are kept
public record ReportDocument(ReportOutline outline, List<Part> parts, List<ReportTable> comparison,
        Optional<ReportTable> differences, List<Metric> definitions, boolean exact) {
    private static final Set<String> OF_ENGINES = Set.of("Engine weights", "KV pools", "Batch limit");
    private static final int LEAD_CHARTS = 2;
    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /// One experiment, or a comparison.
    ///
    /// @param source of its charts: result, day and machine
    /// @param verdict absent until it has ended
    /// @param notJudged the answer where there is no verdict, such as the reason; empty if there is one
    /// @param leadFindings how many of the findings come before the charts
    /// @param leadCharts how many of the charts come before the tables
    /// @param environment name and value, in order
    public record Part(String id, String source, String subtitle, Optional<Verdict> verdict, HeadedText notJudged,
            List<Finding> findings, int leadFindings, List<Paragraph> explanations, List<ChartSheet> charts,
            int leadCharts, Map<String, String> environment, String command, List<String> notes) {
        /// The chart that shows a finding; empty if none of the report's does.
        Optional<ChartSheet> chartOf(Finding finding) {
            return finding.chartAmong(charts.stream().flatMap(sheet -> sheet.panels().stream()).toList(), ChartData::id)
                    .flatMap(chart -> charts.stream().filter(sheet -> sheet.panels().contains(chart)).findFirst());
        }

        /// The grade with its meaning, or why there is none.
        String judgement() {
            return verdict.map(known -> known.grade().name() + ". " + VerdictText.meaning(known))
                    .orElse(notJudged.toString());
        }

        /// The conditions that are not met, as sentences.
        List<String> conditions() {
            return verdict.map(VerdictText::open).orElse(List.of()).stream().map(VerdictText::sentence).toList();
        }

        List<Finding> firstFindings() {
            return findings.subList(0, Math.min(leadFindings, findings.size()));
        }

        List<Finding> otherFindings() {
            return findings.subList(firstFindings().size(), findings.size());
        }

        List<ChartSheet> firstCharts() {
            return charts.subList(0, Math.min(leadCharts, charts.size()));
        }

        List<ChartSheet> otherCharts() {
            return charts.subList(firstCharts().size(), charts.size());
        }
    }

    /// The title above the report.
    String title() {
        return outline.title();
    }

    /// The tables, with what they share said once.
    TableNotes tables() {
        return TableNotes.of(comparison);
    }

    /// The last line of a page.
    String footer() {
        return "Measured on this machine with these engines, schedulers and loads."
                + (exact ? "" : " Host, user and paths are left out.");
    }

    /// The charts of the answer; none if the report has no charts.
    List<ChartSheet> firstCharts(Part part) {
        return outline.has(ReportSection.CHARTS) && outline.has(ReportSection.ANSWER) ? part.firstCharts() : List.of();
    }

    /// The charts outside the answer.
    List<ChartSheet> otherCharts(Part part) {
        return outline.has(ReportSection.ANSWER) ? part.otherCharts() : part.charts();
    }

    /// A finding with the name of its chart, if the report has it: "… Chart: TTFT P50 (ms)."
    String sentence(Part part, Finding finding) {
        return finding.text() + chartOf(part, finding).map(chart -> " Chart: " + chart.title() + ".").orElse("");
    }

    /// The chart of a finding; empty if the report does not have it.
    Optional<ChartSheet> chartOf(Part part, Finding finding) {
        return part.chartOf(finding).filter(chart -> firstCharts(part).contains(chart)
                || (outline.has(ReportSection.CHARTS) && otherCharts(part).contains(chart)));
    }

    /// An outline with its title, else the usual one, without host, user and paths.
    private static ReportOutline titled(ReportOutline outline, String usual, TextAnonymizer safe) {
        return new ReportOutline(safe.of(outline.title().isBlank() ? usual : outline.title()), outline.author(),
                outline.date(), outline.sections(), safe.of(outline.notes()));
    }

    /// The report of some experiments, at least one.
    public static ReportDocument of(List<ExperimentRecord> records, ReportOutline outline, SchedulerRegistry schedulers,
            TextAnonymizer safe) {
        List<ExperimentManifest> manifests = records.stream().map(ExperimentRecord::manifest).toList();
        List<ComparedCell> cells = ComparedCell.of(manifests);
        List<ReportTable> tables = new ArrayList<>();
        if (!cells.isEmpty()) {
            DeploymentAnswer.of(cells, manifests).map(DeploymentAnswer::table).ifPresent(tables::add);
            Recommendations.of(cells, Voice.COMMAND_LINE).ifPresent(tables::add);
            tables.addAll(new ComparisonTables(cells).all());
            new ComparisonTables(cells).memory().ifPresent(tables::add);
            QuantisationImpact.of(cells, Voice.COMMAND_LINE).ifPresent(tables::add);
            BaselineComparison improvements = BaselineComparison.overBaselines(cells, manifests);
            improvements.overview().ifPresent(tables::add);
            tables.addAll(improvements.tables());
            LatencyByVariant.of(records).ifPresent(tables::add);
            LatencyWithFailures.of(records).ifPresent(tables::add);
        }
        String title = records.size() == 1 ? "Inferometer report: " + records.getFirst().manifest().name()
                : "Inferometer report: " + records.size() + " experiments";
        List<Part> parts = records.stream().map(record -> part(record, schedulers, safe)).toList();
        Map<String, Map<String, String>> environments = new LinkedHashMap<>();
        parts.forEach(part -> environments.put(part.id(), part.environment()));
        return new ReportDocument(titled(outline, title, safe), parts,
                tables.stream().map(table -> anonymized(table, safe)).toList(), differences(environments),
                definitions(cells), safe.isExact());
    }

    /// The report of a comparison: the headline, then ratios and a distribution, then verdicts and tables.
    ///
    /// @param command makes the same comparison
    static ReportDocument of(ResultComparison comparison, String command, ReportOutline outline, TextAnonymizer safe) {
        List<Pair> pairs = comparison.pairs();
        String bases = experiments(pairs.stream().map(Pair::baseSide));
        String candidates = experiments(pairs.stream().map(Pair::candidateSide));
        String results = bases.equals(candidates) ? bases : candidates + " against " + bases;
        String contrast = pairs.stream().map(Pair::contrast).distinct().count() == 1
                ? ComparisonWording.sentence(pairs.getFirst().contrast()) + " · " + results : results;
        List<Finding> findings =
                Stream.concat(ComparisonReport.verdicts(pairs).stream(), comparison.unpaired().stream()).map(safe::of)
                        .map(Finding::of).toList();
        Part part = new Part(safe.of(SideNames.title(pairs)), safe.of(ChartSource.of(comparison)), safe.of(contrast),
                Optional.empty(), comparison.headline().withText(safe::of), findings, 0, List.of(),
                new ComparisonCharts(comparison, List.of()).all().stream()
                        .map(chart -> ChartSheet.of(chart).withText(safe::of)).toList(),
                LEAD_CHARTS, environment(pairs, safe), safe.of(command), List.of());
        List<Metric> definitions = pairs.stream().flatMap(pair -> pair.figures().stream())
                .map(figure -> figure.comparison().metric()).distinct().toList();
        return new ReportDocument(titled(outline, "Inferometer comparison", safe), List.of(part),
                ComparisonReport.tables(comparison).stream().map(table -> anonymized(table, safe)).toList(),
                SettingTable.of(comparison).table(false).map(table -> anonymized(table, safe)), definitions,
                safe.isExact());
    }

    private static String experiments(Stream<ComparedSide> sides) {
        return joined(sides.map(side -> side.origin().experiment()));
    }

    private static Map<String, String> environment(List<Pair> pairs, TextAnonymizer safe) {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("Base", joined(pairs.stream().map(Pair::base)));
        rows.put("Candidate", joined(pairs.stream().map(Pair::candidate)));
        if (!pairs.isEmpty()) {
            rows.putAll(machine(pairs.getFirst().baseSide().machine()));
        }
        rows.replaceAll((name, value) -> safe.of(value));
        return rows;
    }

    private static String joined(Stream<String> names) {
        return names.distinct().collect(Collectors.joining("; "));
    }

    /// The properties that differ, a column per result.
    ///
    /// @param environments name and value of each property, by result
    static Optional<ReportTable> differences(Map<String, Map<String, String>> environments) {
        List<ReportTable.Row> rows = ReportTable.Row.ofNames(environments.values(), false);
        List<ReportTable.Column> columns = Stream.concat(Stream.of("Property"), environments.keySet().stream())
                .map(ReportTable.Column::text).toList();
        return rows.isEmpty() ? Optional.empty() : Optional.of(new ReportTable(ReportSection.DIFFERENCES.title(),
                "Properties of the environment that are not equal; the others are.", columns, rows, List.of()));
    }

    private static String started(ExperimentManifest manifest) {
        String started = manifest.times().start().map(instant -> "started " + STARTED.format(instant))
                .orElse("start not recorded");
        return manifest.times().imported() == null ? started
                : started + ", imported " + STARTED.format(manifest.times().imported());
    }

    private static Part part(ExperimentRecord record, SchedulerRegistry schedulers, TextAnonymizer safe) {
        ExperimentManifest manifest = record.manifest();
        String subtitle = started(manifest) + " · " + manifest.status().id()
                + (ImportedExperiment.isImported(manifest) ? "" : " · " + manifest.machine().processor());
        Map<String, String> environment = new LinkedHashMap<>();
        environment(record).forEach((name, value) -> environment.put(name, safe.of(value)));
        return new Part(safe.of(manifest.id()), safe.of(ChartSource.of(manifest)), safe.of(subtitle),
                Optional.ofNullable(manifest.verdict()).map(verdict -> anonymized(verdict, safe)),
                manifest.verdict() == null ? VerdictText.absence(manifest) : HeadedText.NONE,
                Findings.withCharts(record, Voice.COMMAND_LINE).stream().map(finding -> finding.withText(safe::of))
                        .toList(),
                1,
                SchedulerExplanations.paragraphs(SchedulerExplanations.of(record, schedulers)).stream()
                        .map(each -> new Paragraph(safe.of(each.heading()),
                                each.seen().stream().map(safe::of).toList()))
                        .toList(),
                new ExperimentCharts(record).sheets().stream().map(sheet -> sheet.withText(safe::of)).toList(),
                LEAD_CHARTS, environment,
                safe.of(ImportedExperiment.isImported(manifest)
                        ? "Not here: measured by another tool. Import its file again with: inferometer import FILE"
                        : RunCommandLine.lines(manifest.spec())),
                record.allNotes().stream().map(safe::of).toList());
    }

    private static Map<String, String> environment(ExperimentRecord record) {
        ExperimentManifest manifest = record.manifest();
        if (ImportedExperiment.isImported(manifest)) {
            return ImportedExperiment.environment(record);
        }
        Map<String, String> rows = machine(manifest.machine());
        put(rows, record, "Target", run -> run.manifest().system().target());
        put(rows, record, "Server", run -> Optional.ofNullable(run.manifest().system().server())
                .map(server -> server.model() + ": " + server.text()).orElse(""));
        put(rows, record, "Executor", run -> run.manifest().system().executor());
        put(rows, record, "Scheduler plug-in", run -> Optional.ofNullable(run.manifest().system().plugin())
                .map(plugin -> run.manifest().plan().cell().subject().system() + " from " + plugin.text()).orElse(""));
        put(rows, record, "Engine weights",
                run -> run.manifest().system().model().isEmpty() ? ""
                        : run.manifest().plan().cell().subject().model().orElse("")
                                + (run.manifest().system().syntheticWeights() ? ": synthetic" : ": from a checkpoint"));
        put(rows, record, "KV pools",
                run -> run.manifest().system().pools().blocks().isEmpty() ? ""
                        : run.manifest().system().pools().blocks() + " blocks of "
                                + run.manifest().system().pools().blockTokens() + " tokens, "
                                + QuantityText.bytes(run.manifest().system().pools().blockBytes()) + " each");
        put(rows, record, "Window",
                run -> Optional.ofNullable(run.manifest().window()).map(WindowUse::text).orElse(""));
        put(rows, record, "Markers, time since the start of the run",
                run -> run.manifest().markers().stream()
                        .map(marker -> QuantityText.minutesSeconds(marker.nanos() / 1e9) + " " + marker.text())
                        .collect(Collectors.joining(", ")));
        put(rows, record, "Batch limit", run -> run.observations().setup().maxBatchRows() + " requests per step");
        manifest.spec().workloads()
                .forEach(load -> rows.put("Workload " + load.name(), load.sizeText() + ", prompt "
                        + (load.promptFile() == null ? load.promptTokens() + " tokens" : "from " + load.promptFile())
                        + ", output " + load.outputTokens() + " tokens, " + ArrivalText.of(load.arrivals())));
        ExperimentSpec spec = manifest.spec();
        String runs = spec.until() == null ? spec.runs() + " per cell" : spec.looks().getFirst() + " to "
                + spec.looks().getLast() + " per cell, until " + Objects.requireNonNull(spec.until()).clause();
        rows.put("Runs",
                runs + ", " + manifest.spec().warmUpRequests() + " warm-up requests, seed " + manifest.spec().seed());
        return rows;
    }

    private static Map<String, String> machine(MachineDescription machine) {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("Inferometer", machine.inferometerVersion());
        rows.put("Operating system", machine.operatingSystem() + ", " + machine.architecture());
        rows.put("Processor",
                machine.processor() + (machine.physicalCores() == 0 ? "" : ", " + machine.physicalCores() + " cores")
                        + (machine.logicalCores() == 0 ? "" : ", " + machine.logicalCores() + " threads")
                        + (machine.vectorBits() == null ? "" : ", " + machine.vectorBits() + "-bit vectors"));
        if (machine.memoryBytes() > 0) {
            rows.put("Memory", QuantityText.bytes(machine.memoryBytes()));
        }
        rows.put("GPU", machine.gpus().isEmpty() ? "none" : String.join(", ", machine.gpus()));
        rows.put("Java", machine.javaRuntime());
        MachineDescription.Environment environment = machine.environment();
        if (environment != null) {
            rows.put("Java flags", environment.javaFlags().isEmpty() ? "none" : environment.javaFlags());
            rows.put("CPU governor", environment.governor().isEmpty() ? "not known" : environment.governor());
            if (!environment.gpuDriver().isEmpty()) {
                rows.put("GPU driver", environment.gpuDriver()
                        + (environment.gpuClocks().isEmpty() ? "" : ", clocks up to " + environment.gpuClocks()));
            }
            rows.put("Background load",
                    Optional.ofNullable(environment.backgroundLoad()).map(
                            share -> String.format(Locale.ROOT, "%.0f %% of all cores before the run", share * 100))
                            .orElse("not measured"));
        }
        return rows;
    }

    /// Adds the distinct values of the runs; those of our engines only for runs of an engine.
    private static void put(Map<String, String> rows, ExperimentRecord record, String name,
            Function<RunRecord, String> value) {
        Set<String> values = new LinkedHashSet<>();
        record.runs().stream()
                .filter(run -> run.manifest().plan().subject() instanceof PlannedEngine || !OF_ENGINES.contains(name))
                .map(value).filter(text -> !text.isEmpty()).forEach(values::add);
        if (!values.isEmpty()) {
            rows.put(name, String.join("; ", values));
        }
    }

    private static List<Metric> definitions(List<ComparedCell> cells) {
        return cells.isEmpty() ? List.of()
                : new ComparisonTables(cells).shownMetrics().stream()
                        .flatMap(metric -> cells.stream().flatMap(cell -> cell.figure(metric).stream()).limit(1))
                        .map(CellFigure::metric).toList();
    }

    private static ReportTable anonymized(ReportTable table, TextAnonymizer safe) {
        List<ReportTable.Row> rows = table.rows().stream()
                .map(row -> new ReportTable.Row(row.kind(), row.cells().stream().map(safe::of).toList())).toList();
        return new ReportTable(safe.of(table.title()), safe.of(table.caption()), table.columns(), rows,
                table.footnotes());
    }

    private static Verdict anonymized(Verdict verdict, TextAnonymizer safe) {
        return new Verdict(verdict.grade(),
                verdict.conditions().stream().map(each -> new Verdict.Condition(each.requirement(),
                        safe.of(each.name()), each.state(), safe.of(each.observed()), safe.of(each.remedy())))
                        .toList());
    }

    /// Tables of one report, with the sentences that several share above them, once.
    ///
    /// @param shared captions and footnotes of two or more tables
    /// @param tables without these
    record TableNotes(List<String> shared, List<ReportTable> tables) {
        static TableNotes of(List<ReportTable> tables) {
            Map<String, Integer> captions = new LinkedHashMap<>();
            Map<String, Integer> footnotes = new LinkedHashMap<>();
            for (ReportTable table : tables) {
                captions.merge(table.caption(), 1, Integer::sum);
                table.footnotes().stream().distinct().forEach(note -> footnotes.merge(note, 1, Integer::sum));
            }
            captions.keySet().removeIf(caption -> caption.isEmpty() || captions.getOrDefault(caption, 0) < 2);
            // Two shared captions would not tell which tables they are of.
            String caption = captions.size() == 1 ? captions.keySet().iterator().next() : "";
            footnotes.values().removeIf(uses -> uses < 2);
            List<String> shared = new ArrayList<>(caption.isEmpty() ? List.of() : List.of(caption));
            shared.addAll(footnotes.keySet());
            return new TableNotes(shared,
                    tables.stream().map(table -> new ReportTable(table.title(),
                            table.caption().equals(caption) ? "" : table.caption(), table.columns(), table.rows(),
                            table.footnotes().stream().filter(note -> !footnotes.containsKey(note)).toList()))
                            .toList());
        }
    }
}
