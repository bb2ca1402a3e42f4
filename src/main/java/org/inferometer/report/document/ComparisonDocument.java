package org.inferometer.report.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.Metric;
import org.inferometer.report.Finding;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.ChartSource;
import org.inferometer.report.charts.ComparisonCharts;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.ComparisonReport;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.report.compare.SettingTable;
import org.inferometer.report.compare.SideNames;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.wording.ComparisonWording;

/// A comparison as a report: the headline, then ratios and a distribution, then verdicts and tables.
final class ComparisonDocument {
    private static final int LEAD_CHARTS = 2;

    private ComparisonDocument() {}

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
        ReportDocument.Part part =
                new ReportDocument.Part(safe.of(SideNames.title(pairs)), safe.of(ChartSource.of(comparison)),
                        safe.of(contrast), Optional.empty(), safe.of(comparison.headline()), findings, 0, List.of(),
                        new ComparisonCharts(comparison, List.of()).all().stream()
                                .map(chart -> ChartSheet.of(chart).withText(safe::of)).toList(),
                        LEAD_CHARTS, environment(pairs, safe), safe.of(command), List.of());
        List<Metric> definitions = pairs.stream().flatMap(pair -> pair.figures().stream())
                .map(figure -> figure.comparison().metric()).distinct().toList();
        return new ReportDocument(ReportDocument.titled(outline, "Inferometer comparison", safe), List.of(part),
                ComparisonReport.tables(comparison).stream().map(table -> ReportDocument.anonymized(table, safe))
                        .toList(),
                SettingTable.of(comparison).table(false).map(table -> ReportDocument.anonymized(table, safe)),
                definitions, safe.isExact());
    }

    private static String experiments(Stream<ComparedSide> sides) {
        return joined(sides.map(side -> side.origin().experiment()));
    }

    private static Map<String, String> environment(List<Pair> pairs, TextAnonymizer safe) {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("Base", joined(pairs.stream().map(Pair::base)));
        rows.put("Candidate", joined(pairs.stream().map(Pair::candidate)));
        if (!pairs.isEmpty()) {
            rows.putAll(ReportDocument.machine(pairs.getFirst().baseSide().machine()));
        }
        rows.replaceAll((name, value) -> safe.of(value));
        return rows;
    }

    private static String joined(Stream<String> names) {
        return names.distinct().collect(Collectors.joining("; "));
    }
}
