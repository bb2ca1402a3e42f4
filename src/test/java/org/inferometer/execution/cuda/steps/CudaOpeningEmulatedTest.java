package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.DevicePeaks;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Wherever opening fails, everything taken so far is given back.
class CudaOpeningEmulatedTest {
    private static final int MOST_ALLOCATIONS = 200;
    private static final LaneLayout LAYOUT =
            new LaneLayout(List.of(new Lane(new LaneId(0), Lane.Role.PREFILL, new PoolId(0)),
                    new Lane(new LaneId(1), Lane.Role.DECODE, new PoolId(1), -1),
                    new Lane(new LaneId(2), Lane.Role.TRANSFER, new PoolId(1))), List.of(0.5, 0.5));

    private final RandomModel model =
            RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 32, 32, 2, 1, 16, 20, null), Precision.FP8, 1);
    private EmulatedDriver driver;

    @BeforeEach
    void freshDriver() {
        driver = EmulatedDriver.load();
    }

    private Executor open() throws ExecutorException {
        return CudaExecutor.open(model.shape(), model.weights(), CudaRun.options(2, 16, KvDtype.FP16, true), LAYOUT,
                new ExecutorSizes(1 << 16, 8, 32, 4), new SystemClock());
    }

    private Map<Count, Long> held() {
        return Arrays.stream(Count.values())
                .filter(count -> count.name().startsWith("LIVE") || count.name().startsWith("LEAKED"))
                .collect(Collectors.toMap(Function.identity(), driver::count));
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL_ALLOCATION", "FAIL_HOST_ALLOCATION"})
    void whicheverAllocationFailsNothingStaysTaken(Setting fault) throws Exception {
        Map<Count, Long> nothing = held();
        assertThat(nothing.values()).containsOnly(0L);
        int failed = 0;
        for (boolean opened = false; !opened; failed += opened ? 0 : 1) {
            assertThat(failed).isLessThan(MOST_ALLOCATIONS);
            driver.set(fault, failed + 1);
            opened = opens();
            assertThat(held()).as("%s at %d", fault, failed + 1).isEqualTo(nothing);
        }
        // Two buffers of weights, two lanes with two tables and their tokens each, one lane that copies; the device's are more.
        assertThat(failed).isGreaterThanOrEqualTo(9);
    }

    @Test
    void measuringRatesGivesEverythingBackWhicheverAllocationFails() throws Exception {
        Map<Count, Long> nothing = held();
        for (int at = 1; at <= 3; at++) {
            driver.set(Setting.MEMORY_BYTES, 32 << 20).set(Setting.MULTIPROCESSORS, 1).set(Setting.FAIL_ALLOCATION, at);
            try (LoadedGpu gpu = LoadedGpu.open("0")) {
                DevicePeaks.copyBytesPerSecond(gpu);
            } catch (ExecutorException | CudaFailure refused) {
                assertThat(refused).hasMessageContaining("free");
            }
            assertThat(held()).isEqualTo(nothing);
        }
    }

    private boolean opens() {
        try (Executor executor = open()) {
            assertThat(executor.lanes()).hasSize(3);
            return true;
        } catch (ExecutorException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return false;
        }
    }
}
