package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.LoadKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TelemetryFiguresTest {
    /// Window 1000 to 2000 ms; tokens at 1500, 1900 and 2000 ms.
    private static final List<RequestOutcome> REQUESTS = List.of(Outcomes.ok(0, 1000, 1500, 1900, 2000));

    private static TelemetrySample sample(long millis, long weights, long total, long cpuMillis,
            @Nullable GpuSample gpu) {
        return new TelemetrySample(millis * MS, new long[]{weights, 0, 0, 0, 0, total - weights}, total, cpuMillis * MS,
                0, 0, 0, gpu);
    }

    private static GpuSample gpu(double utilisation, double joules) {
        return new GpuSample(0, 5, utilisation, 2 * utilisation, joules, Double.NaN, Double.NaN, Double.NaN, Double.NaN,
                Double.NaN);
    }

    private static Map<String, Double> valuesOf(TelemetrySample... samples) {
        return valuesOf(new Setup(1, 4, 2, 100), samples);
    }

    private static Map<String, Double> valuesOf(Setup setup, TelemetrySample... samples) {
        RunObservations observations = new RunObservations(REQUESTS, List.of(), List.of(samples), setup);
        return RunFigures.of(observations).stream()
                .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
    }

    @Test
    void memoryIsPeakAndTimeWeightedMeanInsideTheWindow() {
        Map<String, Double> values = valuesOf(sample(500, 90, 900, 0, null), sample(1000, 10, 100, 0, null),
                sample(1200, 10, 300, 0, null), sample(2000, 50, 100, 0, null));
        assertThat(values).containsEntry("memory_peak_total", 300.0).containsEntry("memory_peak_weights", 50.0);
        assertThat(values.get("memory_mean_total")).isCloseTo((200 * 200 + 800 * 200) / 1000.0, within(1e-9));
        assertThat(values.get("memory_mean_weights")).isCloseTo((200 * 10 + 800 * 30) / 1000.0, within(1e-9));
        assertThat(values).containsEntry("memory_peak_unattributed", 290.0).containsEntry("memory_peak_kv_cache", 0.0);
    }

    @Test
    void hostUtilisationIsCpuTimeOverTheSampledStretchAndAllCores() {
        Setup threads = new Setup(LaneLayout.sharing(1).lanes(), List.of(2), List.of(100), 4, 2, false, true,
                DeploymentGoal.NONE, LoadKind.UNKNOWN);
        Map<String, Double> values = valuesOf(threads, sample(1000, 0, 1, 300, null), sample(1500, 0, 1, 1050, null));
        assertThat(values.get("device_utilisation")).isCloseTo(750.0 / (500 * 2), within(1e-12));
        assertThat(values).doesNotContainKey("energy_per_token");
    }

    @Test
    void cpuTimeIsNotGpuUtilisation() {
        assertThat(valuesOf(sample(1000, 0, 1, 300, null), sample(1500, 0, 1, 1050, null)))
                .doesNotContainKey("device_utilisation").containsKey("memory_mean_total");
    }

    @Test
    void gpuUtilisationEnergyAndPowerComeFromTheCard() {
        Map<String, Double> values = valuesOf(sample(1000, 0, 1, 0, gpu(50, 100)), sample(1400, 0, 1, 0, gpu(100, 110)),
                sample(1900, 0, 1, 0, gpu(100, 130)));
        assertThat(values.get("device_utilisation")).isCloseTo((400 * 0.75 + 500 * 1.0) / 900, within(1e-12));
        assertThat(values.get("energy_per_token")).isCloseTo(30 / 2.0, within(1e-12));
        assertThat(values.get("gpu_power_mean")).isCloseTo((400 * 150 + 500 * 200) / 900.0, within(1e-12));
    }

    @Test
    void missingGpuReadingLeavesFigureOut() {
        assertThat(valuesOf(sample(1000, 0, 1, 0, gpu(Double.NaN, Double.NaN)),
                sample(1400, 0, 1, 50, gpu(10, Double.NaN))))
                .doesNotContainKeys("device_utilisation", "energy_per_token", "gpu_power_mean")
                .containsKey("memory_mean_total");
    }

    @Test
    void oneSampleHasAPeakButNoMean() {
        assertThat(valuesOf(sample(1500, 3, 9, 5, null))).containsEntry("memory_peak_total", 9.0)
                .doesNotContainKeys("memory_mean_total", "device_utilisation");
    }

    @Test
    void runWithoutSamplesHasNoMemory() {
        assertThat(valuesOf()).doesNotContainKeys("memory_peak_total", "memory_mean_total", "device_utilisation");
        assertThat(valuesOf(sample(100, 3, 9, 5, null))).doesNotContainKey("memory_peak_total");
    }
}
