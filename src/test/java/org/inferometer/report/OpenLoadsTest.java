package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.charts.SchedulerCharts;
import org.inferometer.report.compare.BaselineComparison;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.ComparisonTables.RequestCountGroup;
import org.inferometer.report.document.FigureExport;
import org.inferometer.report.document.ReportDocument;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Loads that no number of requests ends.
class OpenLoadsTest {
    private static final WorkloadSpec CHAT = new WorkloadPresets().find("chat").withRequests(0);
    private static final WorkloadSpec TIMED = CHAT.withRefinements(CHAT.refinements().withDuration(20_000_000_000L));
    private static final WorkloadSpec FILE = new WorkloadPresets().find("prompts:questions.txt");
    private static final TextAnonymizer SAFE = new TextAnonymizer(List.of());
    private final ExperimentRecord record = SuiteRecords.under(List.of("naive", "simple"),
            List.of(TIMED, FILE, FILE.withRequests(25).withName("some")), 2);
    private final List<ComparedCell> cells = ComparedCell.of(List.of(record.manifest()));

    @Test
    void tablesNameLoadsByTheirEndAndChartsByWhatVaries() {
        assertThat(ComparedCell.byLoad(cells).keySet()).containsExactly("chat (for 20 s, 8 in flight)",
                "prompts:questions.txt (all of its file, 8 in flight)", "some (25 requests, 8 in flight)");
        assertThat(BaselineComparison.overBaselines(cells, List.of()).tables()).extracting(ReportTable::caption)
                .containsExactly("model tiny · workload chat (for 20 s, 8 in flight)",
                        "model tiny · workload prompts:questions.txt (all of its file, 8 in flight)",
                        "model tiny · workload some (25 requests, 8 in flight)");
        Marks.Bars suite =
                (Marks.Bars) new SchedulerCharts(List.of(record)).sheets().getFirst().panels().getFirst().marks();
        assertThat(suite.categories()).containsExactly("chat", "prompts:questions.txt", "some");
        Marks.Bars charts = (Marks.Bars) new ExperimentCharts(record).all().stream()
                .filter(chart -> chart.id().equals("throughput")).findFirst().orElseThrow().marks();
        assertThat(charts.categories()).containsExactly("chat", "prompts:questions.txt", "some");
    }

    @Test
    void environmentNamesOpenLoads() {
        Map<String, String> rows =
                ReportDocument.of(List.of(record), ReportOutline.USUAL, SchedulerRegistry.standard(), SAFE).parts()
                        .getFirst().environment();
        assertThat(Objects.requireNonNull(rows.get("Workload chat"))).startsWith("for 20 s, prompt lognormal(");
        assertThat(Objects.requireNonNull(rows.get("Workload some")))
                .startsWith("25 requests, prompt from questions.txt, ");
    }

    @Test
    void openLoadsExportNoRequestCount() {
        FigureExport export = new FigureExport(List.of(record), SchedulerRegistry.standard(), SAFE);
        List<List<String>> rows = new String(export.csv(), StandardCharsets.UTF_8).lines()
                .map(line -> List.of(line.split(",", -1))).toList();
        int at = rows.getFirst().indexOf("requests");
        assertThat(rows.stream().skip(1)
                .collect(Collectors.toMap(row -> row.get(at - 1), row -> row.get(at), (one, same) -> one)))
                .isEqualTo(Map.of("chat", "", "prompts:questions.txt", "", "some", "25"));
        JsonNode json = new JsonMapper().readTree(export.json()).path("experiments").path(0).path("cells");
        assertThat(json.valueStream().map(cell -> cell.path("requests").toString()).distinct()).containsExactly("",
                "25");
    }

    @Test
    void wholeFileHasNoRequestCount() {
        ExperimentRecord sizes =
                SuiteRecords.under(List.of("naive"), List.of(FILE, FILE.withRequests(25).withName("some")), 2);
        List<ComparedCell> two = ComparedCell.of(List.of(sizes.manifest()));
        assertThat(new ComparisonTables(two).byRequests()).isEmpty();
        assertThat(new SchedulerCharts(List.of(sizes)).sheets().getFirst().panels())
                .allMatch(panel -> panel.marks() instanceof Marks.Bars);
        ExperimentRecord counted =
                SuiteRecords.under(List.of("naive"), List.of(FILE, FILE.withRequests(25), FILE.withRequests(50)), 2);
        assertThat(RequestCountGroup.of(ComparedCell.of(List.of(counted.manifest()))))
                .extracting(each -> each.byCount().keySet().toString()).containsExactly("[25, 50]");
    }
}
