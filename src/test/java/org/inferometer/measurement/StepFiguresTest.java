package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Slice;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class StepFiguresTest {
    private static final RunWindow WINDOW = new RunWindow(1000 * MS, 2000 * MS);
    private static final Setup SETUP = new Setup(1, 4, 2, 100);
    private static final List<StepReport> WORKED = List.of(step(0, 0, 900, 990, 90, 1, 64, 0, 0, 50),
            step(1, 0, 1000, 1100, 60, 2, 60, 0, 20, 10), step(2, 0, 1100, 1400, 200, 4, 18, 2, 0, 40));

    private static StepReport step(long number, int lane, long start, long end, long kernelMillis, int slices,
            int prefill, int decode, int padding, int blocks) {
        return new StepReport(number, new LaneId(lane), start * MS, end * MS, kernelMillis * MS, number * 1000,
                rows(slices), prefill, decode, padding, 0, slices, 0, blocks, "");
    }

    private static Setup twoPools() {
        List<Lane> lanes = List.of(new Lane(new LaneId(0), Lane.Role.ANY, new PoolId(0)),
                new Lane(new LaneId(1), Lane.Role.ANY, new PoolId(1)));
        return new Setup(lanes, List.of(), List.of(20, 40), 4, 2, false, true, DeploymentGoal.NONE, LoadKind.UNKNOWN);
    }

    private static StepSlices rows(int count) {
        return StepSlices.of(IntStream.range(0, count).mapToObj(i -> new Slice(new RequestId(i), 0, 1)).toList());
    }

    private static Map<String, Double> valuesOf(List<StepReport> steps, Setup setup) {
        return StepFigures.of(steps, setup, WINDOW).stream()
                .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
    }

    @Test
    void batchEfficiencyAndOccupancyAreDerived() {
        Map<String, Double> values = valuesOf(WORKED, SETUP);
        assertThat(values.get("batch_efficiency")).isCloseTo(80 / 100.0, within(1e-12));
        assertThat(values.get("batch_occupancy")).isCloseTo((2 * 100 + 4 * 300) / 400.0 / 4, within(1e-12));
    }

    @Test
    void onlyMeasuredStepsCount() {
        Map<String, Double> values = valuesOf(WORKED, SETUP);
        assertThat(values.get("lane_utilisation")).isCloseTo(0.4, within(1e-12));
        assertThat(values.get("non_kernel_share")).isCloseTo(1 - 260.0 / 400, within(1e-12));
        assertThat(values.get("step_time_mean")).isCloseTo(200.0 * MS, within(1e-3));
        assertThat(values.get("decision_time_mean")).isCloseTo(1500.0, within(1e-9));
    }

    @Test
    void kvUseIsWeightedByStepTime() {
        Map<String, Double> values = valuesOf(WORKED, SETUP);
        assertThat(values.get("kv_use_mean")).isCloseTo((0.1 * 100 + 0.4 * 300) / 400, within(1e-12));
        assertThat(values.get("kv_use_peak")).isCloseTo(0.4, within(1e-12));
    }

    @Test
    void kvUseIsRelativeToThePoolOfTheLane() {
        List<StepReport> steps =
                List.of(step(0, 0, 1000, 1100, 1, 1, 1, 0, 0, 10), step(1, 1, 1000, 1100, 1, 1, 1, 0, 0, 10));
        Map<String, Double> values = valuesOf(steps, twoPools());
        assertThat(values.get("kv_use_mean")).isCloseTo((0.5 + 0.25) / 2, within(1e-12));
        assertThat(values).containsEntry("kv_use_peak", 0.5).containsEntry("lane_utilisation", 0.1);
    }

    /// Two lanes of 2 and 1 rows side by side fill 3 of 4 for half of the time; alone, the first fills 2, then nothing runs.
    @Test
    void occupancyCountsAllLanesTogether() {
        List<StepReport> steps = List.of(step(0, 0, 1000, 1100, 1, 2, 0, 2, 0, 1),
                step(1, 1, 1050, 1100, 1, 1, 0, 1, 0, 1), step(2, 1, 1500, 1600, 1, 4, 0, 4, 0, 1));
        assertThat(valuesOf(steps, new Setup(2, 4, 2, 60)).get("batch_occupancy"))
                .isCloseTo((2 * 50 + 3 * 50 + 4 * 100) / 200.0 / 4, within(1e-12));
    }

    @Test
    void stepsThatTakeNoTimeHaveNoOccupancy() {
        assertThat(valuesOf(List.of(step(0, 0, 1000, 1000, 0, 2, 0, 2, 0, 1)), SETUP))
                .doesNotContainKey("batch_occupancy").containsKey("batch_efficiency");
    }

    @Test
    void stepsAreBusyInsideTheWindowOnly() {
        List<StepReport> steps =
                List.of(step(0, 0, 900, 1100, 1, 1, 1, 0, 0, 1), step(1, 0, 1900, 2300, 1, 1, 1, 0, 0, 1));
        assertThat(valuesOf(steps, SETUP).get("lane_utilisation")).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void noKernelTimesNoKernelShare() {
        assertThat(valuesOf(List.of(step(0, 0, 1000, 1100, 0, 1, 1, 0, 0, 1)), SETUP))
                .doesNotContainKey("non_kernel_share");
    }

    @Test
    void unknownValuesAreLeftOut() {
        assertThat(valuesOf(List.of(), SETUP)).isEmpty();
        assertThat(valuesOf(WORKED, new Setup(0, 0, 2, 0))).doesNotContainKeys("kv_use_mean", "kv_use_peak",
                "batch_occupancy", "lane_utilisation");
        assertThat(valuesOf(WORKED, new Setup(2, 4, 2, 60))).containsKey("kv_use_mean");
    }
}
