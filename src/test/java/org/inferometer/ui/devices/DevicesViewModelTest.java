package org.inferometer.ui.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.inferometer.telemetry.GpuStatus;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.twin.DevicesTwin;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class DevicesViewModelTest {
    private final InlineUi ui = new InlineUi();
    private final DevicesTwin desk = DevicesTwin.withTwoGpus();
    private final DevicesViewModel model = new DevicesViewModel(desk.source(), ui.work(), ui);

    @Test
    void nothingIsAskedBeforeTheViewIsShown() {
        model.refresh();
        assertThat(desk.calls()).isEmpty();
        assertThat(ui.running()).isZero();
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.InspectionState.LOOKING);
    }

    @Test
    void shownViewLooksOnceAndReadsWithEveryBeat() {
        model.setShowing(true);
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.InspectionState.READY);
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
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.InspectionState.READY);
    }

    @Test
    void failedLookIsSaidAndTheNextOneMaySucceed() {
        desk.fail("The system does not answer.");
        model.setShowing(true);
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.InspectionState.FAILED);
        assertThat(model.problem().get()).isEqualTo("The system does not answer.");
        desk.recover();
        model.refresh();
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.InspectionState.READY);
        assertThat(model.problem().get()).isEmpty();
    }

    @Test
    void failedReadingLeavesTheCardsAndTheNextBeatReadsAgain() {
        model.setShowing(true);
        desk.fail("gone");
        ui.tick();
        assertThat(model.stage().get()).isEqualTo(DevicesViewModel.InspectionState.READY);
        assertThat(model.problem().get()).isEqualTo("gone");
        assertThat(model.moment().get()).as("the reading before is not shown as one of now").isNull();
        desk.recover();
        ui.tick();
        assertThat(model.problem().get()).isEmpty();
        assertThat(model.moment().get().gpus().getFirst().usedBytes()).isEqualTo(6L << 30);
    }

    @Test
    void watchIsClosedWhereverTheQuestionStandsWhenTheWindowGoes() {
        for (int answered = 0; answered <= 4; answered++) {
            DevicesTwin machine = DevicesTwin.withTwoGpus();
            Deque<Runnable> background = new ArrayDeque<>();
            DevicesViewModel leaving =
                    new DevicesViewModel(machine.source(), new BackgroundWork(background::add, ui), ui);
            leaving.setShowing(true);
            for (int question = 0; question < answered && !background.isEmpty(); question++) {
                background.remove().run();
            }
            leaving.dispose();
            List.copyOf(background).reversed().forEach(Runnable::run);
            background.clear();
            ui.tick();
            assertThat(background).as("asked after the end, %s answered", answered).isEmpty();
            assertThat(Collections.frequency(machine.calls(), "close")).as("%s", machine.calls())
                    .isEqualTo(Collections.frequency(machine.calls(), "watch"));
        }
    }

    @Test
    void watchThatOpensWhileTheWindowGoesIsClosed() {
        Deque<Runnable> background = new ArrayDeque<>();
        Deque<Runnable> answers = new ArrayDeque<>();
        DevicesViewModel leaving =
                new DevicesViewModel(desk.source(), new BackgroundWork(background::add, new UiThread() {
                    @Override
                    public void later(Runnable action) {
                        answers.add(action);
                    }

                    @Override
                    public boolean current() {
                        return false;
                    }
                }), ui);
        leaving.setShowing(true);
        background.remove().run();
        answers.remove().run();
        background.remove().run();
        assertThat(desk.calls()).containsExactly("look", "watch");
        leaving.dispose();
        background.remove().run();
        answers.forEach(Runnable::run);
        assertThat(desk.calls()).containsExactly("look", "watch", "close");
        assertThat(background).isEmpty();
    }
}
