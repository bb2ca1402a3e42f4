package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.record.RunEvent;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.VectorDrawing;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.junit.jupiter.api.Test;

class TimelineImageTest {
    private static final long MS = 1_000_000;

    @Test
    void footerNamesRunRangeAndRequests() {
        TimelineSheet sheet =
                new TimelineSheet(List.of(RunTimelineRecords.timeline(RunTimelineRecords.small())), List.of("1: tiny"));
        TimeWindow window = new TimeWindow(-8 * MS, 40 * MS + 500_000);
        assertThat(TimelineImage.footer(sheet, window))
                .isEqualTo("1: tiny · −8.0 to 40.5 ms since measuring began · n = 2 requests");
        FilterRule rule = new FilterRule(new RequestCriterion.OnLane(new LaneId(9)), true);
        assertThat(TimelineImage.footer(sheet.filtered(RequestFilter.NONE.with(rule)), window))
                .endsWith("n = 0 of 2 requests");
    }

    @Test
    void namesOfCountersAreWhole() throws IOException {
        List<RunEvent> gauges = List.of(new RunEvent.Gauge(6 * MS, "vllm:num_requests_running", 2),
                new RunEvent.Gauge(6 * MS, "vllm:num_requests_waiting", 1));
        List<RunTimelineCounter> counters = RunTimelineRecords
                .timeline(RunTimelineRecords.run(LaneLayout.sharing(1), List.of(), List.of(), gauges)).counters();
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, (int) TimelinePainter.TEXT_SIZE);
        FontRenderContext plain = new FontRenderContext(null, true, true);
        assertThat(Stream.concat(counters.stream().map(RunTimelineCounter::name),
                Stream.of("KV blocks, pool 1", "GPU memory access", "GPU memory clock", "client Java heap")))
                .contains("server running", "server waiting")
                .allMatch(name -> font.getStringBounds(name, plain).getWidth() <= TimelinePainter.COUNTER_NAME);
        assertThat(Stream.of("1.80 cores", "1470 MHz", "1023 MiB", "85.0 °C"))
                .allMatch(end -> font.getStringBounds(end, plain).getWidth() <= TimelinePainter.SCALE_LABEL);
    }

    /// Half a million steps in four lanes, from the whole run to 10 µs: the work of a frame is bound by its pixels.
    @Test
    void frameOfALargeRunHasAtMost20000Shapes() {
        TimelineSheet sheet = new TimelineSheet(
                List.of(RunTimelineRecords.timeline(RunTimelineRecords.large(500_000, 4, 1))), List.of("1"));
        TimelineColors inks = new TimelineColors(() -> {});
        long at = sheet.all().length() / 3;
        for (TimeWindow window = sheet.all(); window.length() > 10_000; window = window.zoomed(0.5, at, sheet.all())) {
            TimeScale scale = new TimeScale(window, TimelinePainter.GUTTER, 1700, 2);
            TimelineFrame frame = new TimelineFrame(sheet, scale, 1000, 0, null, false, null, TimelineFrame.NO_POINTER,
                    TimelineDisplay.ALL);
            assertThat(TimelineImage.drawing(frame, inks).shapes().size()).as("%s", window).isBetween(100, 20_000);
        }
    }

    @Test
    void pngSvgAndPdfShowTheVisibleRows() throws IOException {
        TimelineSheet sheet =
                new TimelineSheet(List.of(RunTimelineRecords.timeline(RunTimelineRecords.small())), List.of("1: tiny"));
        VectorDrawing drawing = TimelineImage.drawing(frame(sheet, 1000, 0), new TimelineColors(() -> {}));
        String svg = new String(new JFreeCharts().draw(drawing, picture(ChartFormat.SVG, 1)), StandardCharsets.UTF_8);
        assertThat(svg).contains("requests</text>", "KV transfer</text>", "n = 2 requests</text>")
                .doesNotContain("before first token");
        double rows = sheet.rows().getLast().top() + sheet.rows().getLast().height();
        BufferedImage png =
                ImageIO.read(new ByteArrayInputStream(new JFreeCharts().draw(drawing, picture(ChartFormat.PNG, 2))));
        assertThat(List.of(png.getWidth(), png.getHeight())).containsExactly(2 * 812,
                (int) (2 * (TimelinePainter.RULER + rows + 46)));
        try (PDDocument pdf = Loader.loadPDF(new JFreeCharts().draw(drawing, picture(ChartFormat.PDF, 1)))) {
            assertThat(new PDFTextStripper().getText(pdf)).contains("n = 2 requests");
        }
    }

    @Test
    void rowsThatTheScreenCutsAreDrawnWholeOrNotAtAll() {
        TimelineSheet sheet =
                new TimelineSheet(List.of(RunTimelineRecords.timeline(RunTimelineRecords.small())), List.of("1: tiny"));
        TimelineSheet.SheetRow lane = sheet.rows().stream().filter(row -> row.kind() == TimelineSheet.SheetRowKind.LANE)
                .findFirst().orElseThrow();
        TimelineSheet.SheetRow next = sheet.rows().get(sheet.rows().indexOf(lane) + 1);
        double cut = lane.top() + 10;
        TimelineFrame whole = frame(sheet, TimelinePainter.RULER + next.top() + 8 - cut, cut).wholeRows();
        assertThat(whole.scrollY()).isEqualTo(lane.top());
        assertThat(whole.height()).isEqualTo(TimelinePainter.RULER + lane.height());
        TimelineFrame narrow = frame(sheet, TimelinePainter.RULER + 4, cut);
        assertThat(narrow.wholeRows()).as("no row is half visible").isEqualTo(narrow);
    }

    private static TimelineFrame frame(TimelineSheet sheet, double height, double scrollY) {
        return new TimelineFrame(sheet, new TimeScale(sheet.all(), TimelinePainter.GUTTER, 600, 1), height, scrollY,
                null, false, null, TimelineFrame.NO_POINTER, TimelineDisplay.ALL);
    }

    private static ChartRenderer.Picture picture(ChartFormat format, double scale) {
        return new ChartRenderer.Picture(format, 1, 1, scale, ChartRenderer.Shade.LIGHT);
    }
}
