package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.QuantisationImpact.Group;
import org.inferometer.units.LetterCase;

/// What the precision changes, as ratios to the widest one: of the group with the highest output throughput.
final class QuantisationChart {
    private QuantisationChart() {}

    /// The chart; empty where no model was measured in several precisions.
    static Optional<ChartData> of(List<ComparedCell> cells) {
        List<Group> groups = QuantisationImpact.groups(cells);
        return groups.stream().max(Comparator.comparingDouble(group -> throughput(group.base())))
                .map(group -> chart(group, groups.size()));
    }

    private static ChartData chart(Group group, int groups) {
        String base = precision(group.base());
        List<Ratio> rows = new ArrayList<>();
        for (ComparedCell narrower : group.narrower()) {
            boolean ranked = !narrower.hasInvalidRuns() && !group.base().hasInvalidRuns();
            String prefix = group.narrower().size() == 1 ? "" : precision(narrower) + " ";
            QuantisationImpact.comparisons(group.base(), narrower)
                    .forEach((header, comparison) -> rows.add(RatioCharts.row(prefix + header, ranked, comparison)));
        }
        String names = String.join(", ", group.narrower().stream().map(QuantisationChart::precision).toList());
        return new ChartData("quantisation", "Quantisation impact: " + names + " against " + base,
                CellAxis.runs(Stream.concat(Stream.of(group.base()), group.narrower().stream())
                        .mapToInt(cell -> cell.summary().runs()).summaryStatistics()) + " · " + group.setting()
                        + (groups == 1 ? "" : " · fastest of " + groups + " groups"),
                Axis.log("ratio to " + base), Axis.fitted(""), new Marks.Ratios(rows));
    }

    private static String precision(ComparedCell cell) {
        return LetterCase.upper(cell.summary().precision());
    }

    private static double throughput(ComparedCell cell) {
        return cell.figure(Metrics.OUTPUT_THROUGHPUT).map(CellFigure::mean).orElse(0.0);
    }
}
