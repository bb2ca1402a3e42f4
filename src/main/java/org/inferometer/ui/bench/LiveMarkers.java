package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.RunMarker;
import org.inferometer.units.PlainText;

/// The markers of a running experiment.
///
/// Not thread-safe; [LiveRecorder] guards it.
final class LiveMarkers {
    private static final int MOST_CHARACTERS = 80;
    private final List<Placed> all = new ArrayList<>();
    private int added;

    /// A marker in its run.
    ///
    /// @param number counts the markers of the experiment from 1
    /// @param share of the run that was done, 0 to 1
    record Placed(int number, int run, RunMarker marker, double share) {}

    /// Adds a marker with a default text.
    Placed add(int run, long nanos, double share) {
        added++;
        Placed placed = new Placed(added, run, new RunMarker(nanos, text("marker.default", added)), share);
        all.add(placed);
        return placed;
    }

    /// Changes the text; without text, removes the marker.
    void rename(int number, String typed) {
        String name = PlainText.of(typed.strip());
        String cut = name.substring(0, Math.min(MOST_CHARACTERS, name.length()));
        all.replaceAll(each -> each.number() != number ? each
                : new Placed(number, each.run(), new RunMarker(each.marker().nanos(), cut), each.share()));
        all.removeIf(each -> each.marker().text().isEmpty());
    }

    /// The markers of a run, in order.
    List<RunMarker> of(int run) {
        return all.stream().filter(each -> each.run() == run).map(Placed::marker).toList();
    }

    /// Where the markers of a run are, as shares of the run.
    List<Double> shares(int run) {
        return all.stream().filter(each -> each.run() == run).map(Placed::share).toList();
    }
}
