package org.inferometer.ui.devices;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.telemetry.GpuStatus;
import org.inferometer.ui.twin.DevicesTwin;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class DevicesViewModelTest {
    private final InlineUi ui = new InlineUi();
    private final DevicesTwin desk = DevicesTwin.withTwoGpus();
    private final DevicesViewModel model = new DevicesViewModel(desk, ui.work(), ui);

    @Test
    void nothingIsAskedBeforeTheViewIsShown() {
        model.refresh();
        assertThat(desk.calls()).isEmpty();
        assertThat(ui.running()).isZero();
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.Stage.LOOKING);
    }

    @Test
    void shownViewLooksOnceAndReadsWithEveryBeat() {
        model.setShowing(true);
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.Stage.READY);
        ui.tick();
        ui.tick();
        assertThat(desk.calls()).containsExactly("look", "watch", "read", "read", "read");
        assertThat(model.moment().get().gpus()).extracting(GpuStatus::usedBytes).containsExactly(7L << 30, 15L << 30);
    }

    @Test
    void hiddenViewClosesWhatItOpenedAndAsksNothing() {
        model.setShowing(true);
        model.setShowing(false);
        assertThat(ui.running()).isZero();
        ui.tick();
        assertThat(desk.calls()).endsWith("read", "close").containsOnlyOnce("close");
        assertThat(model.moment().get()).isNull();
        model.setShowing(true);
        assertThat(desk.calls()).containsOnlyOnce("look").endsWith("close", "watch", "read");
    }

    @Test
    void lookingAgainClosesTheWatchAndOpensAnother() {
        model.setShowing(true);
        model.refresh();
        assertThat(desk.calls()).containsExactly("look", "watch", "read", "close", "look", "watch", "read");
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.Stage.READY);
    }

    @Test
    void failedLookIsSaidAndTheNextOneMaySucceed() {
        desk.fail("The system does not answer.");
        model.setShowing(true);
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.Stage.FAILED);
        assertThat(model.problem().get()).isEqualTo("The system does not answer.");
        desk.recover();
        model.refresh();
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.Stage.READY);
        assertThat(model.problem().get()).isEmpty();
    }

    @Test
    void failedReadingLeavesTheCardsAndTheNextBeatReadsAgain() {
        model.setShowing(true);
        desk.fail("gone");
        ui.tick();
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.Stage.READY);
        desk.recover();
        ui.tick();
        assertThat(model.moment().get().gpus().getFirst().usedBytes()).isEqualTo(6L << 30);
    }
}
