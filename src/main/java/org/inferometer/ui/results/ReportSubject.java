package org.inferometer.ui.results;

import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.ui.results.ComparisonViewModel.ComparisonOutcome;

/// What a report is about: a result or a comparison.
public sealed interface ReportSubject {
    /// The open comparison, else the open result.
    static Optional<ReportSubject> of(ResultsViewModel results, ComparisonViewModel comparison) {
        ComparisonOutcome outcome = comparison.reading().get();
        if (comparison.opened().get() && outcome != null && comparison.compareCommand().isPresent()) {
            return Optional.of(new Comparison(outcome.comparison(), comparison.compareCommand().get()));
        }
        return Optional.ofNullable(results.opened().get()).map(opened -> new Result(opened.record()));
    }

    /// The name of its files, without an ending.
    default String name() {
        return switch (this) {
            case Result(ExperimentRecord record) -> record.manifest().id();
            case Comparison ignored -> "comparison";
        };
    }

    /// The formats that it can be exported to.
    default List<ReportFormat> formats() {
        return this instanceof Result ? List.of(ReportFormat.values()) : Reports.OF_COMPARISONS;
    }

    /// Its report, which is made when it is written.
    default Reports.Report in(Reports reports, ReportOutline outline) {
        return switch (this) {
            case Result(ExperimentRecord record) -> reports.of(List.of(record), outline);
            case Comparison(ResultComparison comparison, String command) -> reports.of(comparison, command, outline);
        };
    }

    /// An open result.
    record Result(ExperimentRecord record) implements ReportSubject {}

    /// An open comparison.
    ///
    /// @param command makes the same comparison
    record Comparison(ResultComparison comparison, String command) implements ReportSubject {}
}
