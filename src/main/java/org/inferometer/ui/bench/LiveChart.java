package org.inferometer.ui.bench;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.report.charts.ChartData;

/// The charts of the live area, in their order on the screen.
public enum LiveChart {
    THROUGHPUT(LiveCharts::throughput), REQUESTS(LiveCharts::requests), TTFT(LiveLatencies::overTime),
    LATENCY(LiveLatencies::distribution), MEMORY(LiveCharts::memory);

    private final Function<LiveSnapshot, Optional<ChartData>> maker;

    LiveChart(Function<LiveSnapshot, Optional<ChartData>> maker) {
        this.maker = maker;
    }

    /// The chart of a snapshot; empty without data.
    Optional<ChartData> of(LiveSnapshot snapshot) {
        return maker.apply(snapshot);
    }

    /// Id of its tile: "live-throughput".
    String id() {
        return "live-" + name().toLowerCase(Locale.ROOT);
    }
}
