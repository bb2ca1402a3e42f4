package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.report.SuiteRecords;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.SchedulerCharts;
import org.inferometer.report.document.SchedulerSuite.SuiteTables;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerSuiteTest {
    private static final byte[] PIXEL = {(byte) 0x89, 'P', 'N', 'G'};
    private static final TextAnonymizer SAFE = new TextAnonymizer(List.of("measurer"));
    private final ExperimentRecord record =
            SuiteRecords.of(List.of("naive", "simple", "continuous:chunk=64"), List.of(50, 25), 2);
    @TempDir
    Path folder;

    @Test
    void suiteFilesHaveTheirUsualNames() throws IOException {
        Reports reports = new Reports((sheet, picture) -> PIXEL, SchedulerRegistry.standard(), SAFE);
        List<Path> written = new SchedulerSuite(reports, (sheet, picture) -> PIXEL, SAFE).write(List.of(record),
                folder.resolve("new"));
        assertThat(written).extracting(file -> file.getFileName().toString()).containsExactly("benchmark_summaries.csv",
                "benchmark_detailed_metrics.csv", "benchmark_report.txt", "throughput_comparison.png",
                "latency_comparison.png", "latency_distribution.png", "scheduler_comparison_bars.png", "kv_use.png",
                "lane_use.png");
        assertThat(Files.readString(written.get(2)).lines())
                .allMatch(line -> line.codePointCount(0, line.length()) <= 100)
                .contains("By number of requests", "Difference from naive", "Scheduler insights");
    }

    @Test
    void aSummaryHoldsARunInSeconds() {
        List<String> rows = new SuiteTables(List.of(oneRun()), SAFE).summaries().lines().toList();
        assertThat(rows).containsExactly(
                "scheduler,request_size,run_num,throughput_req_per_sec,throughput_tokens_per_sec,avg_latency,min_latency,max_latency,p50_latency,"
                        + "p95_latency,p99_latency,success_count,failure_count,wall_time,engine,workload,backend,limits,result,scheduler_options",
                "naive,25,1,1,2.5,1.25,0.5,2,1.25,1.925,1.985,2,1,2,tiny-int4,mixed-25,host,,2026-11-21_141503_schedulers,");
    }

    /// A script asks for row['scheduler'] == 'continuous'.
    @Test
    void aSchedulerHasItsPlainNameAndOptionsBeside() {
        SuiteTables tables = new SuiteTables(List.of(record), SAFE);
        for (String table : List.of(tables.summaries(), tables.requests())) {
            assertThat(table.lines().skip(1).map(row -> row.replaceFirst(",.*", "")).distinct())
                    .containsExactlyInAnyOrder("naive", "simple", "continuous");
            assertThat(table.lines().skip(1).filter(row -> row.startsWith("continuous,")))
                    .allMatch(row -> row.endsWith(",chunk=64"));
            assertThat(table.lines().skip(1).filter(row -> row.startsWith("naive,")))
                    .allMatch(row -> row.endsWith("schedulers,"));
        }
    }

    @Test
    void failedRequestHasErrorAndNoLatency() {
        List<String> rows = new SuiteTables(List.of(oneRun()), SAFE).requests().lines().toList();
        assertThat(rows).containsExactly(
                "scheduler,request_size,run_num,request,latency,ttft,input_tokens,output_tokens,tokens_per_sec,prompt,generated_text,error,engine,workload,backend,limits,result,scheduler_options",
                "naive,25,1,1,0.5,0.25,64,2,4,,,,tiny-int4,mixed-25,host,,2026-11-21_141503_schedulers,",
                "naive,25,1,2,2,1,64,3,1.5,,,,tiny-int4,mixed-25,host,,2026-11-21_141503_schedulers,",
                "naive,25,1,3,,,64,0,,,,\"failed: =HYPERLINK(\"\"x\"\"), (name)\",tiny-int4,mixed-25,host,,2026-11-21_141503_schedulers,");
    }

    @Test
    void formulasAreWrittenAsText() {
        CsvText csv = new CsvText(List.of("a"));
        for (String field : List.of("=1+1", "+1", "@x", "-1+cmd|' /C calc'!A0", "-1.5", "\tx", "a;=b", "a,b", "a\"b",
                "a\nb", "")) {
            csv.row(List.of(field));
        }
        assertThat(csv.toString()).isEqualTo(
                "a\n'=1+1\n+1\n'@x\n'-1+cmd|' /C calc'!A0\n-1.5\n\"'\tx\"\n\"a;'=b\"\n\"a,b\"\n\"a\"\"b\"\n\"a\nb\"\n\n");
    }

    @Test
    void linesRunOverTheNumberOfRequestsAndBarsCarryIntervals() {
        List<ChartSheet> sheets = new SchedulerCharts(List.of(record)).sheets();
        Marks.Lines lines = (Marks.Lines) sheets.getFirst().panels().getFirst().marks();
        assertThat(lines.lines()).extracting(ChartData.Line::name).containsExactly("naive", "simple",
                "continuous:chunk=64");
        assertThat(lines.lines().get(1).x()).containsExactly(25, 50);
        assertThat(lines.lines().get(1).y()).containsExactly(14, 14);
        assertThat(sheets.get(2).panels()).extracting(ChartData::title).containsExactly("E2E latency (ms): 25 requests",
                "E2E latency (ms): 50 requests");
        Marks.Bars bars = (Marks.Bars) sheets.get(3).panels().getFirst().marks();
        assertThat(bars.categories()).containsExactly("25 requests", "50 requests");
        assertThat(bars.series().getFirst().spans().stream()
                .map(span -> String.format(Locale.ROOT, "%.4f", (span.high() - span.low()) / 2)))
                .containsExactly("0.2480", "0.2480");
    }

    @Test
    void oneNumberOfRequestsMakesBarsInsteadOfLines() {
        List<ChartSheet> sheets =
                new SchedulerCharts(List.of(SuiteRecords.of(List.of("naive", "simple"), List.of(25), 1))).sheets();
        assertThat(sheets.getFirst().panels()).allMatch(panel -> panel.marks() instanceof Marks.Bars);
    }

    @Test
    void differentLoadsAreBarsWithUniqueLabels() {
        WorkloadSpec chat = new WorkloadPresets().find("chat");
        WorkloadSpec brief = new WorkloadPresets().find("short");
        List<WorkloadSpec> twoFamilies =
                List.of(chat.withName("chat-50").withRequests(50), chat.withName("chat-25").withRequests(25),
                        brief.withName("short-50").withRequests(50), brief.withName("short-25").withRequests(25));
        assertThat(loadsDrawn(twoFamilies)).containsExactly("chat-50", "chat-25", "short-50", "short-25");
        assertThat(loadsDrawn(List.of(chat.withName("chat").withRequests(25), chat.withName("chat").withRequests(50),
                chat.withName("talk").withRequests(25)))).containsExactly("chat (25 requests, 8 in flight)",
                        "chat (50 requests, 8 in flight)", "talk (25 requests, 8 in flight)");
        assertThat(loadsDrawn(List.of(chat.withRequests(50), brief.withRequests(25)))).containsExactly("chat", "short");
        assertThat(loadsDrawn(List.of(chat.withRequests(25),
                chat.withRequests(25).withArrivals(ArrivalProcess.parse("poisson:rate=4.0")))))
                .containsExactly("8 in flight", "4 req/s");
    }

    /// The loads of the first sheet's bars; the boxes are of the same.
    private static List<String> loadsDrawn(List<WorkloadSpec> loads) {
        List<ChartSheet> sheets =
                new SchedulerCharts(List.of(SuiteRecords.under(List.of("naive", "simple"), loads, 1))).sheets();
        List<String> categories = ((Marks.Bars) sheets.getFirst().panels().getFirst().marks()).categories();
        assertThat(sheets.get(2).panels()).extracting(panel -> panel.title().replace("E2E latency (ms): ", ""))
                .isEqualTo(categories);
        return categories;
    }

    @Test
    void aLatencyOfZeroKeepsTheBoxOfItsSchedulerAndIsCounted() {
        ExperimentRecord two = SuiteRecords.of(List.of("naive", "simple"), List.of(25), 1);
        RunObservations first = new RunObservations(List.of(request(1, 5, 5), request(2, 0, 8)), List.of(), List.of(),
                new RunObservations.Setup(1, 8, 8, 128));
        RunObservations second = new RunObservations(List.of(request(1, 0, 4)), List.of(), List.of(),
                new RunObservations.Setup(1, 8, 8, 128));
        List<RunRecord> runs =
                List.of(withObservations(two.runs().get(0), first), withObservations(two.runs().get(1), second));
        ChartData boxes =
                new SchedulerCharts(List.of(new ExperimentRecord(two.folder(), two.manifest(), runs, List.of())))
                        .boxes().getFirst();
        assertThat(((Marks.Boxes) boxes.marks()).boxes())
                .extracting(ChartData.Box::category, ChartData.Box::lowWhisker, ChartData.Box::max)
                .containsExactly(tuple("naive", 4.0, 8.0), tuple("simple", 4.0, 4.0));
        assertThat(boxes.footer()).isEqualTo(
                "n = 3 requests of all runs · box P25 to P75, whiskers P5 and P95, dot maximum · 1 value of 0 is drawn at the lower end");
    }

    private ExperimentRecord oneRun() {
        RequestOutcome failed = new RequestOutcome(new RequestId(3), false, 64, 4, 0, 0, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 5_000_000, RequestStatus.FAILED, "=HYPERLINK(\"x\"), measurer", new long[0]);
        RequestOutcome warmUp = new RequestOutcome(new RequestId(0), true, 64, 1, -9, -9, -9, -9, -1, RequestStatus.OK,
                "", new long[]{-1});
        RunObservations observations =
                new RunObservations(List.of(warmUp, request(1, 0, 250, 500), request(2, 0, 1000, 1500, 2000), failed),
                        List.of(), List.of(), new RunObservations.Setup(1, 8, 8, 128));
        List<RunRecord> runs = new ArrayList<>();
        record.runs().stream().filter(run -> run.manifest().plan().index().cell() == 1).findFirst()
                .ifPresent(run -> runs.add(withObservations(run, observations)));
        return new ExperimentRecord(record.folder(), record.manifest(), runs, List.of());
    }

    private static RunRecord withObservations(RunRecord run, RunObservations observations) {
        return new RunRecord(run.folderName(), run.manifest(), observations, List.of());
    }

    private static RequestOutcome request(int id, long intendedMillis, long... tokenMillis) {
        long[] tokens = Arrays.stream(tokenMillis).map(millis -> millis * 1_000_000).toArray();
        long intended = intendedMillis * 1_000_000;
        return new RequestOutcome(new RequestId(id), false, 64, tokens.length, intended, intended, intended, intended,
                tokens[tokens.length - 1], RequestStatus.OK, "", tokens);
    }
}
