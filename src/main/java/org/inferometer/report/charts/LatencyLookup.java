package org.inferometer.report.charts;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.report.AxisUnit;

/// The lookup of a chart of latencies.
///
/// @param unit of the axis
/// @param records of the runs
/// @param runs the runs behind each series
record LatencyLookup(LatencySamples samples, AxisUnit unit, Collection<ExperimentRecord> records,
        Map<String, List<RunRecord>> runs) implements RequestLookup {
    @Override
    public Optional<ChartRequest> nearest(String series, double value) {
        Optional<LatencySamples.Sample> found =
                samples.nearest(runs.getOrDefault(series, List.of()), value * unit.raw());
        return found.flatMap(
                sample -> records.stream().filter(record -> record.runs().stream().anyMatch(run -> run == sample.run()))
                        .findFirst().map(record -> request(record, sample)));
    }

    private ChartRequest request(ExperimentRecord record, LatencySamples.Sample sample) {
        int run = 0;
        while (record.runs().get(run) != sample.run()) {
            run++;
        }
        RequestOutcome request = sample.request();
        return new ChartRequest(record, run, request.id().index(), samples.label(), unit.of(sample.nanos()), unit);
    }
}
