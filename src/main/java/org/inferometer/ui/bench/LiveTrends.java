package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/// The values of the KPIs over the last minute, one a second. They go on over the runs of an experiment; a second without a measured value
/// is NaN. Belongs to the UI thread.
final class LiveTrends {
    /// Seconds that are kept.
    static final int SECONDS = 60;
    /// A longer time without values is a gap; updates come once a second and may be late.
    private static final long LONGEST_STEP = 2;
    private final Map<String, ReadOnlyObjectWrapper<List<Double>>> trends = new HashMap<>();
    private long last = -1;

    LiveTrends(Collection<String> kpis) {
        kpis.forEach(kpi -> trends.put(kpi, new ReadOnlyObjectWrapper<>(List.of())));
    }

    /// Forgets all values.
    void reset() {
        last = -1;
        trends.values().forEach(trend -> trend.set(List.of()));
    }

    /// Keeps the first values of each second.
    ///
    /// @param elapsedSeconds of the experiment
    /// @param now by KPI; empty outside the measured phase
    void follow(double elapsedSeconds, Map<String, OptionalDouble> now) {
        long second = (long) elapsedSeconds;
        if (second <= last) {
            return;
        }
        long passed = last < 0 ? 1 : second - last;
        last = second;
        trends.forEach((kpi, trend) -> {
            double value = now.getOrDefault(kpi, OptionalDouble.empty()).orElse(Double.NaN);
            List<Double> values = new ArrayList<>(trend.get());
            for (long step = Math.min(passed, SECONDS); step > 0; step--) {
                values.add(step == 1 || passed <= LONGEST_STEP ? value : Double.NaN);
            }
            trend.set(List.copyOf(values.subList(Math.max(0, values.size() - SECONDS), values.size())));
        });
    }

    /// Values of a KPI, oldest first.
    ReadOnlyObjectProperty<List<Double>> of(String kpi) {
        return Objects.requireNonNull(trends.get(kpi)).getReadOnlyProperty();
    }
}
