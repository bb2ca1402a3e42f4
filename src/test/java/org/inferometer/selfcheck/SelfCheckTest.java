package org.inferometer.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.inferometer.execution.BackendCheck;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.results.ResultFiles;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

/// What the checks say must follow from what they measured; how fast this machine is decides nothing here.
class SelfCheckTest {
    private final HarnessChecks harness = new HarnessChecks(new SystemClock());

    @Test
    void limitDecidesTheState() {
        assertThat(SelfCheckResult.atMost("a", "a", 3, "ms", 3, "").state()).isEqualTo(SelfCheckResult.State.PASSED);
        assertThat(SelfCheckResult.atMost("a", "a", 3.1, "ms", 3, "").state()).isEqualTo(SelfCheckResult.State.FAILED);
        assertThat(SelfCheckResult.atLeast("a", "a", 3, "/s", 3, "").state()).isEqualTo(SelfCheckResult.State.PASSED);
        assertThat(SelfCheckResult.atLeast("a", "a", 2.9, "/s", 3, "").state()).isEqualTo(SelfCheckResult.State.FAILED);
        assertThat(SelfCheckResult.notChecked("a", "a", "ms", "why").value()).isEmpty();
    }

    @Test
    void timerGrainIsPositive() {
        assertThat(harness.timerGrain().value()).hasValueSatisfying(nanos -> assertThat(nanos).isPositive());
    }

    @Test
    void generatorIsMeasuredAgainstTheNullTarget() {
        assertThat(harness.generatorCeiling().value()).hasValueSatisfying(rate -> assertThat(rate).isPositive());
    }

    @Test
    void sendLatenessIsNotNegative() {
        assertThat(harness.sendLateness().value()).hasValueSatisfying(micros -> assertThat(micros).isNotNegative());
    }

    @Test
    void failingClientIsNotChecked() {
        assertThat(harness.sendLateness("id", "name", requests -> {
            throw new TargetException("Nobody listens.");
        })).isEqualTo(SelfCheckResult.notChecked("id", "name", "µs", "Nobody listens."));
        assertThat(harness.sendLateness("id", "name", Refusing::new))
                .isEqualTo(SelfCheckResult.notChecked("id", "name", "µs", "A request failed: not today"));
    }

    /// Fails every request as it comes.
    private record Refusing(RequestListener requests) implements Target {
        @Override
        public String description() {
            return "refuses";
        }

        @Override
        public void send(Request request) {
            requests.ended(request.id(), 0, RequestStatus.FAILED, "not today");
        }

        @Override
        public void cancel(RequestId request) {
            // It has ended.
        }

        @Override
        public void arrivalsEnded() {
            // It waits for none.
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }

    @Test
    void loopIsMeasuredWithAllRowsRunning() {
        MachineDescription machine =
                new MachineDescription("os", "arch", "cpu", 1, 2, 8L << 30, "java", 256, List.of(), "test");
        LoopCheck loop = new LoopCheck(new SystemClock(), SchedulerRegistry.standard(), new ResultFiles(), machine);
        assertThat(loop.pace().value()).hasValueSatisfying(steps -> assertThat(steps).isPositive());
    }

    @Test
    void onlyPartsWithTheGivenPrefixRun() {
        List<String> ran = new ArrayList<>();
        MachineDescription machine =
                new MachineDescription("os", "arch", "cpu", 1, 2, 8L << 30, "java", 256, List.of(), "test");
        SchedulerRegistry schedulers = SchedulerRegistry.standard();
        LoopCheck loop = new LoopCheck(new SystemClock(), schedulers, new ResultFiles(), machine);
        SelfCheck check = new SelfCheck(harness, loop, part(ran, "http"),
                List.of(part(ran, "cuda_agreement"), part(ran, "cuda_decode", "cuda_prefill")));
        assertThat(ids(check, "cuda")).containsExactly("cuda_agreement", "cuda_decode", "cuda_prefill");
        assertThat(ids(check, "cuda_pre")).containsExactly("cuda_prefill");
        assertThat(ids(check, "http_anything")).containsExactly("http");
        assertThat(ran).containsExactly("cuda_agreement", "cuda_decode", "cuda_decode", "http");
        assertThat(ids(check, "timer")).containsExactly("timer_grain");
        assertThat(check.fault("cuda")).isEmpty();
        assertThat(check.fault("")).isEmpty();
        assertThat(check.fault("gpu")).hasValueSatisfying(
                fault -> assertThat(fault).startsWith("No check begins with \"gpu\"; there are timer_grain, ")
                        .endsWith("http, loop_steps, cuda_agreement, cuda_decode, cuda_prefill."));
    }

    @Test
    void smallSizesRunWhereTheyExistAndSaySo() {
        BackendFigure share = new BackendFigure("toy_agreement", "agreement", 40, "%", false, 100, "Fine.");
        BackendFigure read =
                new BackendFigure("toy_times_read", "read", 2, "GB/s", true, OptionalDouble.empty(), "A read.");
        List<BackendCheck> checks = List.of(new BackendCheck("toy_whole", "whole", "x", SelfCheckTest::neverRun),
                small("toy_agreement", progress -> List.of(share)), small("toy_times", progress -> List.of(read)),
                small("toy_lost", progress -> {
                    throw new ExecutorException("The card is lost.");
                }));
        SelfCheck check =
                new SelfCheck(checks.stream().map(each -> BackendChecks.part(each, Optional::empty)).toList()).small();
        assertThat(check.run("", begun -> {})).containsExactly(
                SelfCheckResult.atMost("toy_agreement_small", "agreement, small sizes", 40, "%", 100,
                        "Small sizes; this does not replace the whole check. Fine."),
                SelfCheckResult.figure("toy_times_read_small", "read, small sizes", 2, "GB/s",
                        "Small sizes, to see that the check runs; the value means nothing. A read."),
                SelfCheckResult.notChecked("toy_lost_small", "toy_lost, small sizes", "x", "The card is lost."));
        assertThat(ids(check, "toy_times_read_small")).containsExactly("toy_times_read_small");
        assertThat(check.fault("toy_whole")).hasValue("No check with a small size begins with \"toy_whole\";"
                + " there are toy_agreement, toy_times, toy_lost.");
    }

    private static BackendCheck small(String id, BackendCheck.Measurement measurement) {
        return new BackendCheck(id, id, "x", SelfCheckTest::neverRun, Optional.of(measurement));
    }

    private static List<BackendFigure> neverRun(Consumer<String> progress) {
        throw new AssertionError("The whole check was not asked for.");
    }

    private static SelfCheck.CheckPart part(List<String> ran, String... ids) {
        return new SelfCheck.CheckPart(List.of(ids), begun -> {
            ran.add(ids[0]);
            return List.of(ids).stream().map(id -> SelfCheckResult.figure(id, id, 1, "", "")).toList();
        });
    }

    private static List<String> ids(SelfCheck check, String only) {
        return check.run(only, begun -> {}).stream().map(SelfCheckResult::id).toList();
    }
}
