package org.inferometer.ui.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.ui.results.ComparisonViewModel.ComparisonOutcome;

/// What a report is about: a result or a comparison. Its methods are called in the background.
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
    String name();

    /// The formats that it can be exported to.
    List<ReportFormat> formats();

    /// A report as the bytes of its file.
    byte[] bytes(Reports reports, ReportOutline outline, ReportFormat format);

    /// Writes a report.
    void write(Reports reports, ReportOutline outline, ReportFormat format, Path file) throws IOException;

    /// An open result.
    record Result(ExperimentRecord record) implements ReportSubject {
        @Override
        public String name() {
            return record.manifest().id();
        }

        @Override
        public List<ReportFormat> formats() {
            return List.of(ReportFormat.values());
        }

        @Override
        public byte[] bytes(Reports reports, ReportOutline outline, ReportFormat format) {
            return reports.of(List.of(record), outline).bytes(format);
        }

        @Override
        public void write(Reports reports, ReportOutline outline, ReportFormat format, Path file) throws IOException {
            reports.of(List.of(record), outline).write(format, file);
        }
    }

    /// An open comparison.
    ///
    /// @param command makes the same comparison
    record Comparison(ResultComparison comparison, String command) implements ReportSubject {
        @Override
        public String name() {
            return "comparison";
        }

        @Override
        public List<ReportFormat> formats() {
            return Reports.OF_COMPARISONS;
        }

        @Override
        public byte[] bytes(Reports reports, ReportOutline outline, ReportFormat format) {
            return reports.of(comparison, command, outline).bytes(format);
        }

        @Override
        public void write(Reports reports, ReportOutline outline, ReportFormat format, Path file) throws IOException {
            reports.of(comparison, command, outline).write(format, file);
        }
    }
}
