package org.inferometer.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.timeline.RunTimelineMemory;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;

/// Draws memory by owner as stacked areas over time, from 0 to the peak of the shown owners, with a legend beside them.
///
/// @param columns in which values are drawn
record MemoryPainter(TimelineSurface canvas, TimelineFrame scene, int columns) {
    private static final double TITLE = 20;
    private static final double ENTRY = 15;
    private static final double LEAST_HEIGHT = 64;
    private static final double MARGIN = 4;
    private static final double SWATCH = 9;

    /// The height of a row with its legend.
    static double height(RunTimelineMemory memory) {
        return Math.max(LEAST_HEIGHT, TITLE + ENTRY * memory.owners().size() + MARGIN);
    }

    /// The owner whose legend entry is at a height.
    ///
    /// @param y from the row's upper edge
    static Optional<MemoryOwner> owner(RunTimelineMemory memory, double y) {
        int entry = (int) Math.floor((y - TITLE) / ENTRY);
        return memory.owners().stream().skip(Math.max(0, entry)).findFirst().filter(owner -> entry >= 0);
    }

    /// One rectangle of a column: an owner between two shares of the scale.
    record Layer(MemoryOwner owner, double from, double to) {}

    /// The layers of a sample from the bottom up, as shares of the scale; owners without bytes have none.
    static List<Layer> layers(RunTimelineMemory memory, int sample, Set<MemoryOwner> shown, double highest) {
        List<Layer> layers = new ArrayList<>();
        double below = 0;
        for (MemoryOwner owner : shown) {
            double above = below + memory.bytes(owner, sample) / Math.max(1, highest);
            if (above > below) {
                layers.add(new Layer(owner, below, above));
            }
            below = above;
        }
        return layers;
    }

    void paint(TimelineSheet.SheetRow row, double top) {
        RunTimelineMemory memory = memory(row);
        Set<MemoryOwner> shown = scene.display().shown(memory.owners());
        double highest = memory.peak(shown);
        TimeScale scale = scene.scale();
        double height = row.height() - 2 * MARGIN;
        double base = top + MARGIN + height;
        long from = scene.from(row);
        long to = scene.to(row);
        double columnWidth = scale.width() / columns;
        double end = scene.x(row, memory.endNanos());
        for (ValueBars.MemoryBar bar : ValueBars.of(memory, from, to, columns, shown)) {
            double x = scale.snapped(scale.left() + bar.first() * columnWidth);
            double right = scale.snapped(Math.min(end, scale.left() + bar.end() * columnWidth));
            for (Layer layer : layers(memory, bar.sample(), shown, highest)) {
                double upper = base - height * layer.to();
                fill(layer.owner(), x, upper, Math.max(scale.hair(), right - x), height * (layer.to() - layer.from()));
            }
        }
        canvas.fill(TimelineColor.GRID, scale.left(), base, scale.width(), scale.hair());
    }

    /// The legend below the row's name; hidden owners are hollow.
    void legend(TimelineSheet.SheetRow row, double top) {
        double y = top + TITLE;
        Set<MemoryOwner> recorded = memory(row).owners();
        Set<MemoryOwner> shown = scene.display().shown(recorded);
        for (MemoryOwner owner : recorded) {
            double middle = y + ENTRY / 2;
            if (shown.contains(owner)) {
                fill(owner, 12, middle - SWATCH / 2, SWATCH, SWATCH);
            }
            canvas.strokeRect(11.5, middle - SWATCH / 2 - 0.5, SWATCH + 1, SWATCH + 1, 1, TimelineColor.QUIET_TEXT);
            canvas.write(shown.contains(owner) ? TimelineColor.TEXT : TimelineColor.QUIET_TEXT, owner.label(), 28,
                    middle, TimelinePainter.GUTTER - 34);
            y += ENTRY;
        }
    }

    /// The highest value of the row's scale.
    long highest(TimelineSheet.SheetRow row) {
        return memory(row).peak(scene.display().shown(memory(row).owners()));
    }

    private void fill(MemoryOwner owner, double x, double y, double width, double height) {
        TimelineColor ink = TimelineColor.of(owner);
        if (owner == MemoryOwner.UNATTRIBUTED) {
            canvas.fill(ink, 0.2, x, y, width, height);
            canvas.setHatch(ink);
        } else {
            canvas.setFill(ink);
        }
        canvas.fillRect(x, y, width, height);
    }

    private RunTimelineMemory memory(TimelineSheet.SheetRow row) {
        return scene.timeline(row).memory();
    }
}
