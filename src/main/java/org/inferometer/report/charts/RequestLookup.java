package org.inferometer.report.charts;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.report.AxisUnit;

/// Finds the request behind a value of a chart.
///
/// It reads the records when called, so a chart of millions of requests holds no index. Thread-safe.
public interface RequestLookup {
    /// Of a chart whose values are not those of requests.
    RequestLookup NONE = (series, value) -> Optional.empty();

    /// The request with the value nearest to a given one; the first of equal ones.
    ///
    /// @param series name of its line, or of the category of its box
    /// @param value in the unit of the axis
    Optional<ChartRequest> nearest(String series, double value);

    /// The lookup of a chart of latencies.
    ///
    /// @param runs the runs behind each series
    static RequestLookup of(LatencySamples samples, AxisUnit unit, Collection<ExperimentRecord> records,
            Map<String, List<RunRecord>> runs) {
        return (series, value) -> {
            Optional<LatencySamples.Sample> found =
                    samples.nearest(runs.getOrDefault(series, List.of()), value * unit.raw());
            return found.flatMap(sample -> records.stream()
                    .filter(record -> record.runs().stream().anyMatch(run -> run == sample.run())).findFirst()
                    .map(record -> request(samples, unit, record, sample)));
        };
    }

    private static ChartRequest request(LatencySamples samples, AxisUnit unit, ExperimentRecord record,
            LatencySamples.Sample sample) {
        int run = 0;
        while (record.runs().get(run) != sample.run()) {
            run++;
        }
        RequestOutcome request = sample.request();
        return new ChartRequest(record, run, request.id().index(), samples.label(), unit.of(sample.nanos()), unit);
    }
}
