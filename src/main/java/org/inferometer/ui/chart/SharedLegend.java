package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.scene.Node;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.ui.fx.Panes;

/// One legend for the charts of a page that have the same series, so that their plots have its room. It hides a series in all of them.
public final class SharedLegend {
    private SharedLegend() {}

    /// The legend of the largest group of charts with the same series; empty if no two charts have.
    ///
    /// @param tiles with their data
    public static Optional<Node> of(List<ChartTile> tiles) {
        Map<List<SeriesSelection.Series>, List<ChartHost>> groups = new LinkedHashMap<>();
        for (ChartTile tile : tiles) {
            ChartData data = tile.host().data();
            List<SeriesSelection.Series> series = data == null ? List.of() : SeriesSelection.of(data);
            if (series.size() > 1) {
                groups.computeIfAbsent(series, same -> new ArrayList<>()).add(tile.host());
            }
        }
        // Marks that are named where they stand have no entries to show.
        return groups.values().stream().filter(hosts -> hosts.size() > 1).max((one, other) -> one.size() - other.size())
                .flatMap(hosts -> hosts.stream().filter(SharedLegend::hasLines).findFirst()
                        .map(first -> share(first, hosts)));
    }

    private static boolean hasLines(ChartHost host) {
        return host.data() != null && host.data().marks() instanceof Marks.Lines;
    }

    private static Node share(ChartHost first, List<ChartHost> hosts) {
        ChartLegend legend = Panes.named("shared-legend", new ChartLegend());
        legend.setManaged(true);
        hosts.forEach(host -> host.share(first, hosts));
        first.feed(legend);
        return legend;
    }
}
