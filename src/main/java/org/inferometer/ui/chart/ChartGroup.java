package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.List;

/// Charts of one page that show the crosshair together: those with the same x axis. Belongs to the JavaFX thread.
public final class ChartGroup {
    private final List<Crosshair> members = new ArrayList<>();

    void add(Crosshair member) {
        members.add(member);
    }

    void remove(Crosshair member) {
        members.remove(member);
    }

    /// Shows the line of one chart in the others.
    ///
    /// @param x NaN to remove it
    void show(Crosshair source, double x) {
        for (Crosshair member : members) {
            // The axis may have changed since the line was shown.
            if (member != source && (Double.isNaN(x) || member.sharesAxisWith(source))) {
                member.showShared(x);
            }
        }
    }
}
