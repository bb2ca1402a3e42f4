package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.measurement.verdict.PaceConditions;
import org.inferometer.measurement.verdict.VerdictRules;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Verdict;
import org.junit.jupiter.api.Test;

/// Keeps docs/metrics.md and the registry together.
class MetricsDocumentTest {
    private static final Path DOCUMENT = Path.of("docs", "metrics.md");
    private static final Pattern ID = Pattern.compile("`([a-z0-9_]+)`");

    private static List<String> figureRows() throws IOException {
        return Files.readAllLines(DOCUMENT).stream().filter(line -> line.startsWith("| ")
                && line.chars().filter(c -> c == '|').count() == 7 && !line.startsWith("| figure |")).toList();
    }

    private static String cell(String row, int column) {
        return row.split("\\|")[column].strip();
    }

    private static Stream<String> ids(String row) {
        return ID.matcher(cell(row, 2)).results().map((MatchResult match) -> match.group(1));
    }

    @Test
    void everyMetricIsDocumentedOnceAndNothingElseIs() throws IOException {
        assertThat(figureRows().stream().flatMap(MetricsDocumentTest::ids))
                .containsExactlyInAnyOrderElementsOf(Metrics.all().stream().map(Metric::id).toList());
    }

    @Test
    void documentHasTheRegistrysNamesFormulasAndDirections() throws IOException {
        for (String row : figureRows()) {
            List<Metric> metrics = ids(row).map(id -> Metrics.find(id).orElseThrow()).toList();
            assertThat(metrics).isNotEmpty().allSatisfy(metric -> {
                assertThat(metric.label()).startsWith(cell(row, 1));
                assertThat(metric.definition()).endsWith(cell(row, 3));
                assertThat(cell(row, 5)).isEqualTo(
                        metric.better() == Better.NEITHER ? "–" : metric.better().name().toLowerCase(Locale.ROOT));
            });
            assertThat(cell(row, 6)).as(row).isNotBlank();
        }
    }

    @Test
    void documentHasTheVerdictThresholds() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(document).contains("at least " + VerdictRules.LEAST_REQUESTS + " successful requests")
                .contains("window of at least " + VerdictRules.LEAST_WINDOW_NANOS / 1_000_000_000L + " s")
                .contains("fewer than " + VerdictRules.LEAST_RUNS + " runs")
                .contains("send lateness P99 within " + PaceConditions.LATENESS_NANOS / 1_000_000L + " ms")
                .contains("now " + Verdict.DEFINITIONS);
    }
}
