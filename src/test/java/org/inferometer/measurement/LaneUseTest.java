package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.workload.LoadKind;
import org.junit.jupiter.api.Test;

/// A context lane, a generation lane and a transfer lane between their pools; the window is 1000 to 2000 ms.
class LaneUseTest {
    private static final List<RequestOutcome> REQUESTS = List.of(Outcomes.ok(0, 1000, 1500, 2000));
    private static final List<Lane> LANES = List.of(new Lane(new LaneId(0), Lane.Role.PREFILL, new PoolId(0)),
            new Lane(new LaneId(1), Lane.Role.DECODE, new PoolId(1)),
            new Lane(new LaneId(2), Lane.Role.TRANSFER, new PoolId(1)));
    private static final Setup SETUP = new Setup(LANES, List.of(2, 1, 0), List.of(10, 40), 4, 2, false, true,
            DeploymentGoal.NONE, LoadKind.UNKNOWN);
    private static final List<StepReport> STEPS = List.of(step(0, 0, 900, 1100, 50, "0:0+64", 64, 0, 0, 5),
            step(1, 0, 1100, 1300, 100, "1:0+64", 64, 0, 0, 5), step(2, 2, 1300, 1350, 0, "1:0+64", 0, 0, 4096, 39),
            step(3, 1, 1350, 1450, 80, "0:64+1 1:64+1", 0, 2, 0, 20),
            step(4, 1, 1450, 1550, 80, "0:65+1 1:65+1 2:9+1", 0, 3, 0, 30),
            step(5, 1, 1950, 2050, 60, "0:66+1", 0, 1, 0, 10));

    private static StepReport step(long number, int lane, long start, long end, long kernelMillis, String slices,
            int prefill, int decode, long bytes, int blocks) {
        return new StepReport(number, new LaneId(lane), start * MS, end * MS, kernelMillis * MS, 1000,
                StepSlices.parse(slices), prefill, decode, 0, bytes, 3, 0, blocks, "");
    }

    @Test
    void eachLaneCountsItsOwnSteps() {
        assertThat(LaneUse.of(new RunObservations(REQUESTS, STEPS, List.of(), SETUP))).containsExactly(
                new LaneUse(new LaneId(0), Lane.Role.PREFILL, 0.3), new LaneUse(new LaneId(1), Lane.Role.DECODE, 0.25),
                new LaneUse(new LaneId(2), Lane.Role.TRANSFER, 0.05));
    }

    @Test
    void idleLanesAreListedUnknownAreNot() {
        assertThat(LaneUse.of(new RunObservations(REQUESTS, List.of(), List.of(), new Setup(1, 4, 2, 10))))
                .containsExactly(new LaneUse(new LaneId(0), Lane.Role.ANY, 0));
        assertThat(LaneUse.of(new RunObservations(REQUESTS, STEPS, List.of(), new Setup(0, 4, 2, 10)))).isEmpty();
        assertThat(LaneUse.of(new RunObservations(List.of(), STEPS, List.of(), SETUP))).isEmpty();
    }

    @Test
    void transfersEnterKvTransferFiguresOnly() {
        Map<String, Double> values = valuesOf(SETUP);
        assertThat(values).containsEntry("moves", 1.0).containsEntry("moved_bytes", 4096.0)
                .containsEntry("move_time_mean", 50.0 * MS).containsEntry("lane_utilisation", (0.3 + 0.25) / 2)
                .containsEntry("batch_efficiency", 1.0)
                .containsEntry("step_time_mean", (200 + 100 + 100 + 100) / 4.0 * MS).containsEntry("kv_use_peak", 0.75);
    }

    @Test
    void runWithoutTransferLaneHasNoKvTransfers() {
        assertThat(RunFigures.of(new RunObservations(REQUESTS, STEPS.subList(0, 2), List.of(), new Setup(3, 4, 2, 10))))
                .extracting(figure -> figure.metric().id()).doesNotContain("moves", "moved_bytes", "move_time_mean")
                .contains("step_time_mean");
    }

    @Test
    void idleTransferLaneHasZeroKvTransfers() {
        Map<String, Double> values = RunFigures.of(new RunObservations(REQUESTS, STEPS.subList(0, 2), List.of(), SETUP))
                .stream().collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
        assertThat(values).containsEntry("moves", 0.0).containsEntry("moved_bytes", 0.0)
                .doesNotContainKey("move_time_mean");
    }

    private static Map<String, Double> valuesOf(Setup setup) {
        return RunFigures.of(new RunObservations(REQUESTS, STEPS, List.of(), setup)).stream()
                .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
    }
}
