package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.record.Metric;
import org.inferometer.record.Unrecorded;
import org.inferometer.report.FigureText;
import org.inferometer.report.GainText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.units.LetterCase;
import org.inferometer.wording.Voice;

/// What the precision of one model's engines changes: the ratio of each figure to that of the widest precision, with all else equal.
public final class QuantisationImpact {
    /// The known precisions, the widest first.
    public static final List<String> PRECISIONS = NamedPrecision.KNOWN;
    /// A column shows the first of its metrics that both cells have; tools report the later ones.
    private static final Map<String, List<Metric>> COLUMNS = columns();

    private QuantisationImpact() {}

    private static Map<String, List<Metric>> columns() {
        Map<String, List<Metric>> columns = new LinkedHashMap<>();
        columns.put("Throughput", List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.COMPUTING_RATE));
        columns.put("Prefill", List.of(Metrics.PREFILL_LATENCY.mean()));
        columns.put("Decode", List.of(Metrics.DECODE_LATENCY.mean()));
        columns.put("Weights + KV", List.of(Metrics.MODEL_MEMORY_PEAK));
        columns.put("Memory in all",
                List.of(Metrics.MEMORY_PEAK_TOTAL, Metrics.REPORTED_MEMORY_PEAK, Metrics.MEMORY_MEAN_TOTAL));
        return columns;
    }

    /// What makes two cells differ in precision alone.
    private record Setting(String experiment, String model, String system, String platform, String limits,
            String workload) {
        static Setting of(ComparedCell cell) {
            var subject = cell.subject();
            String system = cell.isTarget() ? NamedPrecision.of(subject.system()).rest() : subject.system();
            return new Setting(cell.experiment(), cell.family(), system, subject.platform(),
                    ComparedCell.limits(cell).orElse(""), ComparedCell.workload(cell));
        }

        String text() {
            return Stream
                    .of(Unrecorded.known(model).map(known -> "model " + known).orElse(""), system, platform, workload)
                    .filter(part -> !part.isEmpty()).collect(Collectors.joining(" · "));
        }
    }

    /// Cells of one model that differ in precision alone.
    ///
    /// @param setting what they share
    /// @param base the widest precision
    /// @param narrower the others, the widest first
    public record Group(String setting, ComparedCell base, List<ComparedCell> narrower) {}

    /// The groups with two precisions or more.
    public static List<Group> groups(List<ComparedCell> cells) {
        List<ComparedCell> known = cells.stream().filter(cell -> PRECISIONS.contains(cell.precision())).toList();
        List<Group> groups = new ArrayList<>();
        ComparedCell.grouped(known, Setting::of).forEach((setting, group) -> {
            List<ComparedCell> widest = group.stream()
                    .sorted(Comparator.comparingInt(cell -> PRECISIONS.indexOf(cell.precision()))).toList();
            List<ComparedCell> narrower =
                    widest.stream().filter(cell -> !cell.precision().equals(widest.getFirst().precision())).toList();
            if (!narrower.isEmpty()) {
                groups.add(new Group(setting.text(), widest.getFirst(), narrower));
            }
        });
        return groups;
    }

    /// The table; empty where no model was measured in several precisions.
    public static Optional<ReportTable> of(List<ComparedCell> cells, Voice voice) {
        List<Column> columns = new ArrayList<>(List.of(Column.text("Precision")));
        COLUMNS.keySet().forEach(header -> columns.add(Column.number(header, "[95 %]")));
        List<ComparedCell> narrower = groups(cells).stream().flatMap(group -> group.narrower().stream()).toList();
        boolean judged = narrower.stream().anyMatch(cell -> cell.summary().quality() != null);
        if (judged) {
            columns.add(Column.number("Perplexity", "× [95 %]"));
            columns.add(Column.number("KL divergence", "± 95 %"));
            columns.add(Column.number("Same top token", "% ± 95 %"));
        }
        List<Row> rows = new ArrayList<>();
        boolean single = false;
        for (Group group : groups(cells)) {
            rows.add(Row.heading(group.setting()));
            rows.addAll(rows(group, judged));
            single |= group.base().runs() == 1 || group.narrower().stream().anyMatch(cell -> cell.runs() == 1);
        }
        List<String> notes = new ArrayList<>(
                List.of("Against the precision behind \"/\". A ratio without a word: nothing differs detectably."));
        if (single) {
            notes.add("1 run has no interval. Measure 3 runs or more.");
        }
        QualityText.note(narrower).ifPresent(note -> notes.add(note.in(voice)));
        return rows.isEmpty() ? Optional.empty()
                : Optional.of(new ReportTable("Quantisation impact", "", columns, rows, notes));
    }

    /// The comparisons of the table's metrics by their headers; those that both cells have.
    public static Map<String, Comparison> comparisons(ComparedCell base, ComparedCell narrower) {
        Map<String, Comparison> comparisons = new LinkedHashMap<>();
        COLUMNS.forEach((header, metrics) -> metrics.stream()
                .filter(metric -> base.figure(metric).isPresent() && narrower.figure(metric).isPresent()).findFirst()
                .map(metric -> Comparisons.between(base.required(metric), narrower.required(metric)))
                .ifPresent(comparison -> comparisons.put(header,
                        base.hasInvalidRuns() || narrower.hasInvalidRuns() ? comparison.unranked() : comparison)));
        return comparisons;
    }

    private static List<Row> rows(Group group, boolean judged) {
        List<Row> rows = new ArrayList<>();
        ComparedCell base = group.base();
        for (ComparedCell cell : group.narrower()) {
            List<String> texts = new ArrayList<>(
                    List.of("  " + LetterCase.upper(cell.precision()) + " / " + LetterCase.upper(base.precision())));
            Map<String, Comparison> comparisons = comparisons(base, cell);
            COLUMNS.keySet().forEach(header -> texts.add(Optional.ofNullable(comparisons.get(header))
                    .map(each -> new GainText(each).withInterval()).orElse(FigureText.NOT_APPLICABLE)));
            if (judged) {
                texts.addAll(List.of(QualityText.perplexityRatio(cell), QualityText.divergence(cell),
                        QualityText.agreement(cell)));
            }
            rows.add(Row.of(texts));
        }
        return rows;
    }
}
