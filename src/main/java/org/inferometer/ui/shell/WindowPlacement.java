package org.inferometer.ui.shell;

import java.util.List;
import java.util.Optional;
import org.inferometer.ui.fx.Settings;

/// Position and size of the window.
///
/// @param x left edge; NaN to centre
/// @param y top edge; NaN to centre
public record WindowPlacement(double x, double y, double width, double height, boolean maximised) {
    /// Size on first start.
    public static final WindowPlacement FIRST = new WindowPlacement(Double.NaN, Double.NaN, 1440, 900, false);
    /// The window is smaller only on a smaller screen.
    public static final double MIN_WIDTH = 1280;
    /// The window is smaller only on a smaller screen.
    public static final double MIN_HEIGHT = 800;

    private static final String KEY = "window";

    /// A visible screen area.
    public record Area(double x, double y, double width, double height) {
        boolean holds(double px, double py) {
            return px >= x && px < x + width && py >= y && py < y + height;
        }
    }

    /// The stored placement, or the first one when none is valid.
    public static WindowPlacement remembered(Settings settings) {
        Optional<String> text = settings.get(KEY);
        if (text.isEmpty()) {
            return FIRST;
        }
        String[] words = text.get().split(" ");
        if (words.length != 5) {
            return FIRST;
        }
        try {
            WindowPlacement read = new WindowPlacement(Double.parseDouble(words[0]), Double.parseDouble(words[1]),
                    Double.parseDouble(words[2]), Double.parseDouble(words[3]), Boolean.parseBoolean(words[4]));
            return Double.isFinite(read.width) && Double.isFinite(read.height) ? read : FIRST;
        } catch (NumberFormatException e) {
            return FIRST;
        }
    }

    /// Stores the placement.
    public void remember(Settings settings) {
        settings.put(KEY, x + " " + y + " " + width + " " + height + " " + maximised);
    }

    /// The placement, moved and shrunk into the screen that contains its centre, else into the first.
    ///
    /// @param screens visible areas, the primary first; at least one
    public WindowPlacement within(List<Area> screens) {
        double middleX = x + width / 2;
        double middleY = y + height / 2;
        Optional<Area> own = screens.stream().filter(screen -> screen.holds(middleX, middleY)).findFirst();
        Area screen = own.orElse(screens.getFirst());
        double w = Math.min(Math.max(width, Math.min(MIN_WIDTH, screen.width)), screen.width);
        double h = Math.min(Math.max(height, Math.min(MIN_HEIGHT, screen.height)), screen.height);
        boolean placed = own.isPresent() && Double.isFinite(x) && Double.isFinite(y);
        double left = placed ? Math.clamp(x, screen.x, screen.x + screen.width - w)
                : screen.x + Math.floor((screen.width - w) / 2);
        double top = placed ? Math.clamp(y, screen.y, screen.y + screen.height - h)
                : screen.y + Math.floor((screen.height - h) / 2);
        return new WindowPlacement(left, top, w, h, maximised);
    }
}
