package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.inferometer.options.Selection;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Test;

class WorkerProtocolTest {
    private final WorkerProtocol protocol = new WorkerProtocol();

    private static RunPlan plan() {
        return SamplePlans.plan("e", 0, 1,
                SamplePlans.cell("tiny-int4", Selection.parse("naive:batch_size=8"), new WorkloadPresets().find("chat"),
                        Selection.of("host")),
                2, "engines/tiny-int4", "results/r", 4, -7, 100, 1 << 20, new Limits(8, 512, 1024),
                LaneLayout.sharing(1));
    }

    @Test
    void ordersAndFramesAreReadBackEqual() {
        WorkerProtocol.Order order = WorkerProtocol.Order.of(Path.of("w"), plan());
        assertThat(protocol.order(protocol.line(order))).isEqualTo(order);
        assertThat(protocol.line(order)).startsWith("{\"protocol\":").doesNotContain("\n");
        WorkerFrame finished = new WorkerFrame.Finished(RunStatus.FAILED, "broke off: \"ünïcode\"");
        assertThat(protocol.frame(protocol.line(finished))).isEqualTo(finished);
    }

    @Test
    void textsOfFramesArePlain() {
        assertThat(protocol.frame(protocol.line(new WorkerFrame.Finished(RunStatus.FAILED, "broke\noff\u001b[2J"))))
                .isEqualTo(new WorkerFrame.Finished(RunStatus.FAILED, "broke off\ufffd[2J"));
        assertThat(protocol.frame(protocol.line(new WorkerFrame.Log("info", "a\u202eb"))))
                .isEqualTo(new WorkerFrame.Log("info", "a\ufffdb"));
    }

    @Test
    void anotherVersionIsRefusedInOneSentence() {
        String line =
                protocol.line(new WorkerProtocol.Order(99, "w", WorkerReservation.NONE, plan(), PreparedServer.NONE));
        assertThatThrownBy(() -> protocol.order(line))
                .hasMessage("The command has protocol version 99; this worker has version " + WorkerProtocol.VERSION
                        + ". Use the same Inferometer on both sides.");
        assertThatThrownBy(() -> protocol.order("{\"experiment\":\"x\"}")).hasMessageContaining("protocol version 0");
    }

    @Test
    void brokenLinesAreRefused() {
        assertThatThrownBy(() -> protocol.order("null")).hasMessageContaining("protocol version 0");
        assertThatThrownBy(() -> protocol.order("")).hasMessageContaining("not a valid order");
        assertThatThrownBy(() -> protocol.frame("{\"frame\":\"x\"}")).hasMessageContaining("not a valid frame");
    }

    @Test
    void exitOfAKilledWorkerNamesTheSignal() {
        assertThat(exit(137, "").cause())
                .isEqualTo("The worker was killed (SIGKILL; the machine may be out of memory).");
        assertThat(exit(143, "").cause()).isEqualTo("The worker was killed (SIGTERM; another program ended it).");
        assertThat(exit(128 + 40, "").cause()).isEqualTo("The worker was killed (signal 40).");
        assertThat(exit(3, "").cause()).isEqualTo("The worker ended with exit code 3.");
        assertThat(exit(137, "a\nb").cause())
                .isEqualTo("The worker failed: a b (killed by SIGKILL; the machine may be out of memory)");
    }

    @Test
    void causeIsTheMostPreciseOneKnown() {
        CrashReport crash = new CrashReport(Path.of("log"), "The JVM crashed.");
        WorkerFrame.Finished failed = new WorkerFrame.Finished(RunStatus.FAILED, "The disk is full.");
        WorkerFrame.Finished complete = new WorkerFrame.Finished(RunStatus.COMPLETE, "");
        assertThat(new WorkerExit(134, failed, "output", crash).cause()).isEqualTo("The disk is full.");
        assertThat(new WorkerExit(134, null, "output", crash).cause()).isEqualTo("The JVM crashed.");
        assertThat(new WorkerExit(1, complete, "output", null).cause())
                .isEqualTo("The worker failed: output (exit code 1)");
        assertThat(new WorkerExit(3, failed, "", null).failed()).isTrue();
        assertThat(new WorkerExit(0, complete, "", null).failed()).isFalse();
        assertThat(exit(137, "").failed()).isTrue();
    }

    private static WorkerExit exit(int code, String standardError) {
        return new WorkerExit(code, null, standardError, null);
    }
}
