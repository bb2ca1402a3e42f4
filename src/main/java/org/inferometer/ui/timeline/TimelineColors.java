package org.inferometer.ui.timeline;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import javafx.scene.Group;
import javafx.scene.image.PixelWriter;
import javafx.scene.image.WritableImage;
import javafx.scene.paint.Color;
import javafx.scene.paint.ImagePattern;
import javafx.scene.paint.Paint;
import javafx.scene.shape.Rectangle;
import org.inferometer.record.MemoryOwner;
import org.inferometer.ui.fx.Panes;

/// Reads colours from the stylesheet for a canvas, through one empty rectangle per colour in the scene.
final class TimelineColors extends Group {
    private static final int HATCH = 6;
    private static final double DARK_FROM = 0.45;
    private final Map<TimelineColor, Rectangle> swatches = new EnumMap<>(TimelineColor.class);
    private final Map<TimelineColor, ImagePattern> hatches = new EnumMap<>(TimelineColor.class);

    /// @param changed called when a colour changes with the theme
    TimelineColors(Runnable changed) {
        setManaged(false);
        setMouseTransparent(true);
        for (TimelineColor ink : TimelineColor.values()) {
            Rectangle swatch = Panes.styled(new Rectangle(), ink.styleClass());
            swatch.fillProperty().addListener((observed, before, now) -> {
                hatches.remove(ink);
                changed.run();
            });
            swatches.put(ink, swatch);
            getChildren().add(swatch);
        }
    }

    Color color(TimelineColor ink) {
        Rectangle swatch = swatches.get(ink);
        return swatch != null && swatch.getFill() instanceof Color color ? color : Color.GRAY;
    }

    Color faded(TimelineColor ink, double opacity) {
        return color(ink).deriveColor(0, 1, 1, Math.clamp(opacity, 0, 1));
    }

    /// Diagonal lines on a transparent ground.
    Paint hatch(TimelineColor ink) {
        return hatches.computeIfAbsent(ink, this::drawHatch);
    }

    /// Black or white, whichever is readable on a colour.
    Color textOn(TimelineColor ink) {
        Color color = color(ink);
        double luminance = 0.2126 * color.getRed() + 0.7152 * color.getGreen() + 0.0722 * color.getBlue();
        return luminance > DARK_FROM ? Color.BLACK : Color.WHITE;
    }

    private ImagePattern drawHatch(TimelineColor ink) {
        WritableImage image = new WritableImage(HATCH, HATCH);
        PixelWriter pixels = image.getPixelWriter();
        Color color = color(ink);
        for (int x = 0; x < HATCH; x++) {
            for (int y = 0; y < HATCH; y++) {
                int diagonal = (x + y) % HATCH;
                pixels.setColor(x, y,
                        diagonal == 0 ? color : diagonal == 1 ? color.deriveColor(0, 1, 1, 0.55) : Color.TRANSPARENT);
            }
        }
        return new ImagePattern(image, 0, 0, HATCH, HATCH, false);
    }

    /// The colours of the timeline; the stylesheet defines them for both themes.
    enum TimelineColor {
        GROUND, BAND, GRID, TEXT, QUIET_TEXT, FOCUS, LIT, MEASURE, PHASE, PREFILL, DECODE, TRANSFER, PADDING, QUEUED,
        UNSPLIT, PREEMPTED, MARKER, COUNTER, MEMORY_WEIGHTS, MEMORY_KV_CACHE, MEMORY_ACTIVATIONS, MEMORY_WORKSPACE,
        MEMORY_JAVA_RUNTIME, MEMORY_UNATTRIBUTED;

        /// The colour of a memory owner, the same as in charts.
        static TimelineColor of(MemoryOwner owner) {
            return switch (owner) {
                case WEIGHTS -> MEMORY_WEIGHTS;
                case KV_CACHE -> MEMORY_KV_CACHE;
                case ACTIVATIONS -> MEMORY_ACTIVATIONS;
                case WORKSPACE -> MEMORY_WORKSPACE;
                case JAVA_RUNTIME -> MEMORY_JAVA_RUNTIME;
                case UNATTRIBUTED -> MEMORY_UNATTRIBUTED;
            };
        }

        /// Its style class: `timeline-ink-quiet-text`.
        String styleClass() {
            return "timeline-ink-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
