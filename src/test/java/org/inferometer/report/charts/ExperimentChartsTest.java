package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;
import org.inferometer.report.compare.FindingsTest;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class ExperimentChartsTest {
    private final ExperimentRecord record = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 2));
    private final ExperimentCharts charts = new ExperimentCharts(record);

    @Test
    void everyChartAReportShowsIsThere() {
        assertThat(charts.all()).extracting(ChartData::id).containsExactly("plane", "e2e-ecdf", "quantisation",
                "throughput", "ttft-p50", "throughput-over-time", "ttft-ecdf", "itl-ecdf", "e2e-boxes",
                "requests-in-system-1", "requests-in-system-2", "requests-in-system-3", "requests-in-system-4",
                "memory-1", "memory-2", "memory-3", "memory-4");
        assertThat(charts.sheets()).extracting(ChartSheet::id).endsWith("e2e-boxes", "requests-in-system", "memory");
        assertThat(charts.leading()).extracting(ChartData::id).containsExactly("plane", "e2e-ecdf", "quantisation");
        assertThat(charts.all()).allMatch(chart -> !chart.footer().isEmpty());
    }

    @Test
    void oneCellIsShownByItsDistributions() {
        ExperimentManifest all = record.manifest();
        ExperimentManifest one = new ExperimentManifest(all.formatVersion(), all.id(), all.spec(), all.plan(),
                all.machine(), all.times(),
                new ExperimentOutcome(RunStatus.COMPLETE, "", all.outcome().cells().subList(0, 1), null), false);
        List<RunRecord> runs = record.runs().stream().filter(run -> run.manifest().plan().index().cell() == 0).toList();
        assertThat(new ExperimentCharts(new ExperimentRecord(Path.of("x"), one, runs, List.of())).leading())
                .extracting(ChartData::id).containsExactly("ttft-ecdf", "itl-ecdf");
    }

    @Test
    void windowedTokensSumToAllTokens() {
        ChartData chart = chart(charts.all(), "throughput-over-time");
        Marks.Lines lines = (Marks.Lines) chart.marks();
        double width = 2 * lines.lines().getFirst().x()[0];
        List<RequestOutcome> requests = record.runs().getFirst().observations().requests();
        RunWindow window = RunWindow.of(requests).orElseThrow();
        double covered = lines.lines().getFirst().y().length * width;
        long arrived = requests.stream().filter(request -> !request.warmUp())
                .flatMapToLong(request -> Arrays.stream(request.eventNanos()))
                .filter(token -> (token - window.startNanos()) / 1e9 < covered).count();
        assertThat(Arrays.stream(lines.lines().getFirst().y()).sum() * width).isCloseTo(arrived, Offset.offset(1e-6));
    }

    @Test
    void cumulativeDistributionEndsAt100() {
        Marks.Lines lines = (Marks.Lines) chart(charts.all(), "ttft-ecdf").marks();
        assertThat(lines.lines()).hasSize(4).allSatisfy(line -> {
            assertThat(line.y()[line.y().length - 1]).isEqualTo(100);
            assertThat(line.x()).isSorted();
        });
        assertThat(lines.lines().get(0).style().colour()).isEqualTo(lines.lines().get(2).style().colour());
        assertThat(lines.lines()).extracting(line -> line.style().dash()).containsExactly(ChartData.Dash.LONG,
                ChartData.Dash.LONG, ChartData.Dash.DOTTED, ChartData.Dash.DOTTED);
    }

    @Test
    void eachPointOfADistributionIsARequestWithThatLatency() {
        for (String id : List.of("ttft-ecdf", "e2e-ecdf")) {
            ChartData chart = chart(charts.all(), id);
            for (ChartData.Line line : ((Marks.Lines) chart.marks()).lines()) {
                for (double shown : line.x()) {
                    ChartRequest found = chart.requests().nearest(line.name(), shown).orElseThrow();
                    RequestOutcome request = record.runs().get(found.run()).observations().requests().stream()
                            .filter(each -> each.id().index() == found.request()).findFirst().orElseThrow();
                    long end = id.startsWith("ttft") ? request.firstTokenNanos() : request.lastTokenNanos();
                    assertThat(found.unit().of(end - request.intendedNanos())).isCloseTo(shown, Offset.offset(1e-9));
                }
            }
        }
        ChartData boxes = chart(charts.all(), "e2e-boxes");
        ChartData.Box box = ((Marks.Boxes) boxes.marks()).boxes().getFirst();
        ChartRequest slowest = boxes.requests().nearest(box.category(), box.max()).orElseThrow();
        assertThat(slowest.value()).isCloseTo(box.max(), Offset.offset(1e-9));
        assertThat(slowest.describe()).matches("request \\d+, E2E latency [\\d.]+ ms, run 1");
        assertThat(boxes.requests().nearest("no such cell", box.max())).isEmpty();
    }

    /// The percentiles of a box and the shares of a distribution are those of all recorded requests: none is thinned or binned.
    @Test
    void percentilesOfChartsAreExact() {
        ChartData boxes = chart(charts.all(), "e2e-boxes");
        List<ChartData.Line> lines = ((Marks.Lines) chart(charts.all(), "e2e-ecdf").marks()).lines();
        for (int cell = 0; cell < lines.size(); cell++) {
            double[] exact = record.completeRuns(cell).stream().flatMap(run -> run.observations().requests().stream())
                    .filter(request -> !request.warmUp() && request.answered())
                    .mapToDouble(request -> (request.lastTokenNanos() - request.intendedNanos()) / 1e6).sorted()
                    .toArray();
            ChartData.Box box = ((Marks.Boxes) boxes.marks()).boxes().get(cell);
            assertThat(new double[]{box.lowWhisker(), box.q1(), box.median(), box.q3(), box.highWhisker(), box.max()})
                    .containsExactly(
                            DoubleStream.of(5, 25, 50, 75, 95, 100).map(each -> percentile(exact, each)).toArray(),
                            Offset.offset(1e-9));
            ChartData.Line line = lines.get(cell);
            assertThat(Arrays.copyOfRange(line.x(), 1, line.x().length)).containsExactly(exact, Offset.offset(1e-9));
            assertThat(line.y()).containsExactly(
                    IntStream.rangeClosed(0, exact.length).mapToDouble(k -> 100.0 * k / exact.length).toArray(),
                    Offset.offset(1e-9));
        }
    }

    /// Type 7 of Hyndman and Fan (1996).
    private static double percentile(double[] ascending, double percent) {
        double rank = (ascending.length - 1) * percent / 100;
        int below = (int) Math.min(rank, ascending.length - 2.0);
        return ascending[below] + (rank - below) * (ascending[below + 1] - ascending[below]);
    }

    @Test
    void eachCellHasAPanelOfOneRunOnEqualAxes() {
        for (String sheet : List.of("requests-in-system", "memory")) {
            List<ChartData> panels =
                    charts.sheets().stream().filter(each -> each.id().equals(sheet)).findFirst().orElseThrow().panels();
            assertThat(panels).hasSize(4);
            assertThat(panels).extracting(ChartData::x).containsOnly(panels.getFirst().x());
            assertThat(panels).extracting(ChartData::y).containsOnly(panels.getFirst().y());
            assertThat(panels.getFirst().y().upper()).isFinite();
            assertThat(panels).extracting(chart -> chart.title().replaceFirst("^[^:]*: ", "")).containsExactly(
                    "tiny-fp8 · naive", "tiny-fp8 · continuous:chunk=64", "tiny-int4 · naive",
                    "tiny-int4 · continuous:chunk=64");
            assertThat(panels).allMatch(chart -> chart.footer().matches("run \\d+, lower throughput of 2.*"));
        }
    }

    /// The throughput of the sample's runs grows from one to the next.
    @Test
    void theRunWithTheMiddleThroughputStandsForItsCell() {
        CellCharts three = new CellCharts(List.of(FindingsTest.record(SampleRecords.experiment(Path.of("x"), 3))));
        assertThat(three.cells())
                .allMatch(cell -> new RunPanels(three).run(cell).manifest().plan().index().repetition() == 1);
    }

    @Test
    void ofManyPanelsThoseThatDifferMostAreShown() {
        List<Double> ten = List.of(1.0, 1.01, 1.5, 2.0, 3.0, 8.0, 8.01, 64.0, 100.0, 512.0);
        assertThat(RunPanels.mostDifferent(ten, each -> each, each -> 1)).containsExactly(1.0, 1.5, 2.0, 3.0, 8.01,
                64.0, 100.0, 512.0);
        assertThat(RunPanels.mostDifferent(ten, each -> 1, each -> each)).as("equal peaks").hasSize(8)
                .doesNotContainSequence(8.0, 8.01).doesNotContainSequence(1.0, 1.01);
        assertThat(RunPanels.mostDifferent(List.of(3.0, 3.0), each -> each, each -> 1)).containsExactly(3.0, 3.0);
    }

    @Test
    void requestsInTheSystemEndAtNone() {
        Marks.Lines lines = (Marks.Lines) chart(charts.all(), "requests-in-system-1").marks();
        assertThat(lines.lines()).allSatisfy(line -> {
            assertThat(line.y()[line.y().length - 1]).isZero();
            assertThat(Arrays.stream(line.y()).min().orElseThrow()).isZero();
        });
    }

    @Test
    void statesOfRequestsBorrowNoHueOfCells() {
        Marks.Lines lines = (Marks.Lines) chart(charts.all(), "requests-in-system-1").marks();
        assertThat(lines.lines()).extracting(ChartData.Line::style).containsExactly(
                new ChartData.SeriesStyle(SeriesStyles.SLOTS, ChartData.Dash.SOLID),
                new ChartData.SeriesStyle(SeriesStyles.SLOTS, ChartData.Dash.DOTTED));
    }

    @Test
    void gapsBetweenChunksAreNeverDrawnAsItl() {
        List<ChartData> drawn = chartsOf(List.of(request(1, 4, 10, 12, 15, 20)),
                List.of(request(2, 9, 10, 13, 20), request(3, 2, 10, 30)), List.of(request(4, 9, 10, 90)));
        assertThat(drawn).extracting(ChartData::id).contains("ttft-ecdf", "itl-ecdf", "inter-chunk-ecdf", "e2e-ecdf");
        ChartData itl = chart(drawn, "itl-ecdf");
        ChartData chunks = chart(drawn, "inter-chunk-ecdf");
        assertThat(itl.title()).isEqualTo("ITL, cumulative distribution");
        assertThat(itl.footer()).isEqualTo(
                "n = 3 gaps of all runs · not recorded for tiny-fp8 · continuous:chunk=64, tiny-int4 · naive, tiny-int4 · continuous:chunk=64");
        assertThat(points(itl)).containsExactly("tiny-fp8 · naive [2.0, 2.0, 3.0, 5.0]");
        assertThat(chunks.title()).isEqualTo("Inter-chunk latency, cumulative distribution");
        assertThat(chunks.x().label()).isEqualTo("Inter-chunk latency, ms");
        assertThat(points(chunks)).containsExactly("tiny-fp8 · continuous:chunk=64 [3.0, 3.0, 7.0, 20.0]");
    }

    @Test
    void gapsNeedNoIntendedTime() {
        RequestOutcome known = request(1, 3, 10, 12, 15);
        RequestOutcome imported = new RequestOutcome(known.id(), false, 64, 3, RequestOutcome.ABSENT, known.sentNanos(),
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, known.endNanos(), RequestStatus.OK, "",
                known.eventNanos());
        assertThat(chartsOf(List.of(imported))).extracting(ChartData::id).contains("itl-ecdf")
                .doesNotContain("ttft-ecdf", "e2e-ecdf", "e2e-boxes");
    }

    @Test
    void zerosAreDrawnAtTheLowerEndAndCounted() {
        List<ChartData> drawn = chartsOf(List.of(request(1, 4, 10, 10, 12, 15)), List.of(request(2, 2, 10, 14)),
                List.of(request(3, 2, 0, 0)), List.of(request(4, 2, 0, 6)));
        ChartData itl = chart(drawn, "itl-ecdf");
        assertThat(points(itl)).containsExactly("tiny-fp8 · naive [2.0, 2.0, 2.0, 3.0]",
                "tiny-fp8 · continuous:chunk=64 [4.0, 4.0]", "tiny-int4 · naive [2.0, 2.0]",
                "tiny-int4 · continuous:chunk=64 [6.0, 6.0]");
        assertThat(((Marks.Lines) itl.marks()).lines().getFirst().y())
                .containsExactly(new double[]{0, 100.0 / 3, 200.0 / 3, 100}, Offset.offset(1e-9));
        assertThat(itl.footer()).isEqualTo("n = 6 gaps of all runs · 2 values of 0 are drawn at the lower end");
        ChartData boxes = chart(drawn, "e2e-boxes");
        assertThat(((Marks.Boxes) boxes.marks()).boxes()).extracting(ChartData.Box::median).containsExactly(15.0, 14.0,
                6.0, 6.0);
        assertThat(boxes.footer()).endsWith("dot maximum · 1 value of 0 is drawn at the lower end");
    }

    @Test
    void allZerosStillHaveACurve() {
        assertThat(points(chart(chartsOf(List.of(request(1, 3, 10, 10, 10))), "itl-ecdf")))
                .containsExactly("tiny-fp8 · naive [0.001, 0.001, 0.001]");
    }

    /// The sample's cells, each with one run of these requests; cells beyond have no run.
    @SafeVarargs
    private static List<ChartData> chartsOf(List<RequestOutcome>... cells) {
        return new ExperimentCharts(recordOf(cells)).all();
    }

    @SafeVarargs
    private static ExperimentRecord recordOf(List<RequestOutcome>... cells) {
        ExperimentRecord sample = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 1));
        List<RunRecord> runs = new ArrayList<>();
        for (int cell = 0; cell < sample.runs().size(); cell++) {
            RunRecord run = sample.runs().get(cell);
            runs.add(new RunRecord(run.folderName(), run.manifest(),
                    new RunObservations(cell < cells.length ? cells[cell] : List.of(), List.of(), List.of(),
                            new RunObservations.Setup(2, 8, 8, 128)),
                    List.of()));
        }
        return new ExperimentRecord(sample.folder(), sample.manifest(), runs, List.of());
    }

    private static RequestOutcome request(int id, int outputTokens, long... instantMillis) {
        long[] instants = Arrays.stream(instantMillis).map(millis -> millis * 1_000_000).toArray();
        return new RequestOutcome(new RequestId(id), false, 64, outputTokens, 0, 0, 0, 0, instants[instants.length - 1],
                RequestStatus.OK, "", instants, outputTokens, TokenSource.SERVER_USAGE);
    }

    private static ChartData chart(List<ChartData> charts, String id) {
        return charts.stream().filter(chart -> chart.id().equals(id)).findFirst().orElseThrow();
    }

    private static List<String> points(ChartData chart) {
        return ((Marks.Lines) chart.marks()).lines().stream().map(line -> line.name() + " " + Arrays.toString(line.x()))
                .toList();
    }

    @Test
    void nothingRecordedMakesNoChart() {
        ExperimentRecord empty = new ExperimentRecord(Path.of("x"), record.manifest(), List.of(), List.of());
        assertThat(new ExperimentCharts(empty).all()).extracting(ChartData::id).containsExactly("plane", "quantisation",
                "throughput", "ttft-p50");
    }
}
