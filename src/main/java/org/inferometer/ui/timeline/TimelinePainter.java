package org.inferometer.ui.timeline;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.VectorDrawing.Anchor;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.timeline.CounterPainter.CounterScale;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.inferometer.units.QuantityText;

/// Draws the visible part of the timeline.
record TimelinePainter(TimelineSurface canvas, TimelineFrame scene) {
    /// Height of the time axis.
    static final double RULER = 24;
    /// Width of the row names.
    static final double GUTTER = 212;
    /// Width of the ends of a scale: "1.80 cores".
    static final double SCALE_LABEL = 70;
    /// Width of the names of counters, beside their scale.
    static final double COUNTER_NAME = GUTTER - SCALE_LABEL - 14;
    private static final double WIDTH_OF_A_LETTER = 6.7;
    /// Size of all texts in pixels.
    static final double TEXT_SIZE = 12;

    void paint() {
        double width = scene.scale().right();
        // Filling the whole canvas first discards its old command buffer.
        canvas.fill(TimelineColor.GROUND, 0, 0, width, scene.height());
        canvas.clip(scene.scale().left(), 0, scene.scale().width(), scene.height());
        grid();
        canvas.unclip();
        rows(width);
        overlays();
        ruler();
    }

    private void grid() {
        canvas.setFill(TimelineColor.GRID);
        for (TimeScale.Tick tick : scene.scale().ticks()) {
            canvas.fillRect(scene.scale().x(tick.nanos()), RULER, scene.scale().hair(), scene.height() - RULER);
        }
    }

    private void ruler() {
        TimeScale scale = scene.scale();
        canvas.fill(TimelineColor.GROUND, 0, 0, scale.right(), RULER);
        canvas.fill(TimelineColor.GRID, 0, RULER - scale.hair(), scale.right(), scale.hair());
        canvas.write(TimelineColor.QUIET_TEXT, Messages.text("timeline.axis"), 10, RULER / 2, GUTTER - 14);
        canvas.clip(scale.left(), 0, scale.width(), RULER);
        for (TimeScale.Tick tick : scale.ticks()) {
            double x = scale.x(tick.nanos());
            canvas.fillRect(x, RULER - 6, scale.hair(), 6);
            if (x + 4 + WIDTH_OF_A_LETTER * tick.label().length() < scale.right()) {
                canvas.fillText(tick.label(), x + 4, RULER / 2, scale.width());
            }
        }
        if (scene.pointer() != TimelineFrame.NO_POINTER) {
            pointerTime();
        }
        canvas.unclip();
    }

    private void pointerTime() {
        TimeScale scale = scene.scale();
        String words = TimelineDetails.instant(scene.pointer());
        double width = 16 + WIDTH_OF_A_LETTER * words.length();
        double x = Math.clamp(scale.x(scene.pointer()) - width / 2, scale.left(),
                Math.max(scale.left(), scale.right() - width));
        canvas.setFill(TimelineColor.TEXT);
        canvas.fillRoundRect(x, 2, width, RULER - 5, 6);
        canvas.setFill(TimelineColor.GROUND);
        canvas.fillText(words, x + width / 2, RULER / 2, width - 8, Anchor.MIDDLE, false);
    }

    private void rows(double width) {
        List<TimelineSheet.SheetRow> rows = scene.sheet().rows();
        LanePainter lanes = new LanePainter(canvas, scene);
        RequestPainter requests = new RequestPainter(canvas, scene);
        int columns = valueColumns();
        CounterPainter counters = new CounterPainter(canvas, scene, columns);
        MemoryPainter memory = new MemoryPainter(canvas, scene, columns);
        EventPainter events = new EventPainter(canvas, scene);
        List<Set<Integer>> lit =
                IntStream.range(0, scene.sheet().panels().size()).mapToObj(scene::litRequests).toList();
        for (int i = scene.sheet().firstRowBelow(scene.scrollY()); i < rows.size(); i++) {
            TimelineSheet.SheetRow row = rows.get(i);
            double top = RULER + row.top() - scene.scrollY();
            if (top > scene.height()) {
                break;
            }
            band(row, top);
            canvas.clip(scene.scale().left(), Math.max(RULER, top), scene.scale().width(), row.height());
            switch (row.kind()) {
                case TITLE -> {}
                case PHASES -> events.paintPhases(row, top);
                case MARKERS -> events.paintMarkers(row, top);
                case EVENTS -> events.paintEvents(row, top);
                case LANE -> lanes.paint(row, top);
                case COUNTER -> counters.paint(row, top);
                case MEMORY -> memory.paint(row, top);
                case REQUESTS -> requests.paint(row, top, lit.get(row.panel()));
            }
            canvas.unclip();
            switch (row.kind()) {
                case COUNTER -> {
                    CounterScale values = counters.values(row);
                    name(row, top, counters.value(row), COUNTER_NAME);
                    scaleLabels(row, top, values.highLabel(), values.lowLabel());
                }
                case MEMORY -> {
                    memoryName(row, top);
                    memory.legend(row, top);
                    scaleLabels(row, top, QuantityText.bytes(memory.highest(row)), "0");
                }
                case TITLE -> title(row, top, width);
                case PHASES, MARKERS, EVENTS, LANE, REQUESTS -> name(row, top, "", GUTTER - 16);
            }
        }
    }

    private int valueColumns() {
        List<TimelineSheet.SheetRow> rows = scene.sheet().rows();
        int rectangles = 0;
        for (int i = scene.sheet().firstRowBelow(scene.scrollY()); i < rows.size()
                && RULER + rows.get(i).top() - scene.scrollY() <= scene.height(); i++) {
            rectangles += switch (rows.get(i).kind()) {
                case COUNTER -> ValueBars.RECTANGLES_OF_A_COUNTER;
                case MEMORY -> 1 + MemoryOwner.values().length;
                case TITLE, PHASES, MARKERS, EVENTS, LANE, REQUESTS -> 0;
            };
        }
        return ValueBars.columns(scene.scale().columns(), rectangles);
    }

    private void memoryName(TimelineSheet.SheetRow row, double top) {
        canvas.write(TimelineColor.TEXT, row.label(), 10, top + 11, COUNTER_NAME);
    }

    private void scaleLabels(TimelineSheet.SheetRow row, double top, String high, String low) {
        canvas.setFill(TimelineColor.QUIET_TEXT);
        canvas.fillText(high, GUTTER - 5, top + 10, SCALE_LABEL, Anchor.RIGHT, false);
        canvas.fillText(low, GUTTER - 5, top + row.height() - 9, SCALE_LABEL, Anchor.RIGHT, false);
    }

    private void band(TimelineSheet.SheetRow row, double top) {
        boolean quiet =
                row.kind() == TimelineSheet.SheetRowKind.LANE || row.kind() == TimelineSheet.SheetRowKind.REQUESTS;
        if (quiet) {
            canvas.fill(TimelineColor.BAND, 0.5, scene.scale().left(), top + 1, scene.scale().width(),
                    row.height() - 1);
        }
    }

    private void title(TimelineSheet.SheetRow row, double top, double width) {
        canvas.fill(TimelineColor.BAND, 0, top + 2, width, row.height() - 4);
        canvas.setFill(TimelineColor.TEXT);
        canvas.fillText(row.label(), 10, top + row.height() / 2, width - 20, Anchor.LEFT, true);
    }

    private void name(TimelineSheet.SheetRow row, double top, String value, double width) {
        canvas.setFill(TimelineColor.TEXT);
        double middle = top + row.height() / 2;
        if (value.isEmpty()) {
            canvas.fillText(row.label(), 10, middle, width);
        } else {
            canvas.fillText(row.label(), 10, middle - 8, width);
            canvas.write(TimelineColor.QUIET_TEXT, value, 10, middle + 8, width);
        }
    }

    private void overlays() {
        TimeScale scale = scene.scale();
        canvas.clip(scale.left(), RULER, scale.width(), scene.height() - RULER);
        TimeWindow stretch = scene.stretch();
        if (stretch != null) {
            double from = scale.x(stretch.from());
            double to = scale.x(stretch.to());
            canvas.fill(TimelineColor.MEASURE, 0.16, from, RULER, to - from, scene.height());
            canvas.fill(TimelineColor.MEASURE, from, RULER, 1.5, scene.height());
            canvas.fillRect(to - 1.5, RULER, 1.5, scene.height());
        }
        if (scene.pointer() != TimelineFrame.NO_POINTER) {
            canvas.fill(TimelineColor.TEXT, 0.5, scale.x(scene.pointer()), RULER, scale.hair(), scene.height());
        }
        canvas.unclip();
    }
}
