package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.measurement.RunWindow;
import org.inferometer.report.ChartData.Marks;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class ExperimentChartsTest {
    private final ExperimentRecord record = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 2));
    private final ExperimentCharts charts = new ExperimentCharts(record);

    @Test
    void everyChartAReportShowsIsThere() {
        assertThat(charts.all()).extracting(ChartData::id).containsExactly("throughput", "ttft-p50", "throughput-over-time", "ttft-ecdf", "itl-ecdf", "e2e-ecdf",
                "e2e-boxes", "requests-in-system", "memory");
        assertThat(charts.all()).allMatch(chart -> !chart.footer().isEmpty());
    }

    @Test
    void tokensInWindowsAddUpToTheTokensThatArrived() {
        ChartData chart = charts.outputThroughput().orElseThrow();
        Marks.Lines lines = (Marks.Lines) chart.marks();
        double width = 2 * lines.lines().getFirst().x()[0];
        List<RequestOutcome> requests = record.runs().getFirst().observations().requests();
        RunWindow window = RunWindow.of(requests).orElseThrow();
        double covered = lines.lines().getFirst().y().length * width;
        long arrived = requests.stream().filter(request -> !request.warmUp()).flatMapToLong(request -> Arrays.stream(request.tokenNanos()))
                .filter(token -> (token - window.startNanos()) / 1e9 < covered).count();
        assertThat(Arrays.stream(lines.lines().getFirst().y()).sum() * width).isCloseTo(arrived, Offset.offset(1e-6));
    }

    @Test
    void theShareOfRequestsEndsAtAHundredPerCent() {
        Marks.Lines lines = (Marks.Lines) charts.ttftDistribution().orElseThrow().marks();
        assertThat(lines.lines()).hasSize(4).allSatisfy(line -> {
            assertThat(line.y()[line.y().length - 1]).isEqualTo(100);
            assertThat(line.x()).isSorted();
        });
        assertThat(lines.lines().get(0).look().colour()).isEqualTo(lines.lines().get(2).look().colour());
        assertThat(lines.lines()).extracting(line -> line.look().dash())
                .containsExactly(ChartData.Dash.LONG, ChartData.Dash.LONG, ChartData.Dash.DOTTED, ChartData.Dash.DOTTED);
    }

    @Test
    void requestsInTheSystemEndAtNone() {
        Marks.Lines lines = (Marks.Lines) charts.requestsInSystem(record.runs().getFirst()).orElseThrow().marks();
        assertThat(lines.lines()).allSatisfy(line -> {
            assertThat(line.y()[line.y().length - 1]).isZero();
            assertThat(Arrays.stream(line.y()).min().orElseThrow()).isZero();
        });
    }

    @Test
    void theHistogramHoldsEveryRequest() {
        Marks.Histogram histogram = (Marks.Histogram) charts.ttftHistogram(1).orElseThrow().marks();
        assertThat(Arrays.stream(histogram.series().getFirst().heights()).sum()).isCloseTo(100, Offset.offset(1e-6));
        assertThat(histogram.edges()).hasSize(histogram.series().getFirst().heights().length + 1);
    }

    @Test
    void nothingRecordedMakesNoChart() {
        ExperimentRecord empty = new ExperimentRecord(Path.of("x"), record.manifest(), List.of(), List.of());
        assertThat(new ExperimentCharts(empty).all()).extracting(ChartData::id).containsExactly("throughput", "ttft-p50");
    }
}
