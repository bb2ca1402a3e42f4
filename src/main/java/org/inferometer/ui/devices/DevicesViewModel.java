package org.inferometer.ui.devices;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.report.MachineView;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Ticks;
import org.jspecify.annotations.Nullable;

/// What the Devices view shows: looked at once, then read every second while the view is shown, and not at all while it is hidden.
///
/// Belongs to the UI thread; the desk is asked in the background, one question at a time.
public final class DevicesViewModel {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final DeviceSource source;
    private final DeviceWatch held;
    private final BackgroundWork work;
    private final Ticks ticks;
    private final ReadOnlyObjectWrapper<Stage> stage = new ReadOnlyObjectWrapper<>(Stage.LOOKING);
    private final ReadOnlyObjectWrapper<@Nullable MachineView> looked = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<MachineMonitor.@Nullable Moment> moment = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private Ticks.@Nullable Beat beat;
    private boolean watching;
    private boolean disposed;
    private boolean shown;
    private boolean asking;
    private boolean lookAgain = true;

    /// How far the look has come.
    public enum Stage {
        /// The machine is being looked at, for the first time or again.
        LOOKING,
        /// There is something to show.
        READY,
        /// The machine could not be looked at.
        FAILED
    }

    /// Nothing is asked before the view is shown.
    public DevicesViewModel(DeviceSource source, BackgroundWork work, Ticks ticks) {
        this.source = source;
        this.held = new DeviceWatch(source);
        this.work = work;
        this.ticks = ticks;
    }

    /// How far the look has come.
    public ReadOnlyObjectProperty<Stage> stage() {
        return stage.getReadOnlyProperty();
    }

    /// The machine; null before the first look, and the last one while it is looked at again.
    public ReadOnlyObjectProperty<@Nullable MachineView> looked() {
        return looked.getReadOnlyProperty();
    }

    /// The latest readings; null while there are none, and when the last one failed.
    public ReadOnlyObjectProperty<MachineMonitor.@Nullable Moment> moment() {
        return moment.getReadOnlyProperty();
    }

    /// Why the look or the last reading failed; empty otherwise.
    public ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// Begins to read, or stops and closes what was opened.
    public void setShowing(boolean showing) {
        if (showing == shown) {
            return;
        }
        shown = showing;
        Ticks.Beat running = beat;
        if (running != null) {
            running.stop();
            beat = null;
        }
        if (showing) {
            beat = ticks.every(EVERY, this::next);
        }
        next();
    }

    /// Ends it for good: nothing is asked any more, and a watch that is open, or about to be, is closed in the background.
    public void dispose() {
        setShowing(false);
        disposed = true;
        work.run(() -> {
            held.end();
            return held;
        }, ended -> {}, failure -> {});
    }

    /// Looks at the whole machine anew.
    public void refresh() {
        lookAgain = true;
        stage.set(Stage.LOOKING);
        next();
    }

    /// Does what is to be done next, unless something is being done.
    private void next() {
        if (asking || disposed) {
            return;
        }
        MachineView found = looked.get();
        if (watching && (!shown || lookAgain)) {
            watching = false;
            moment.set(null);
            ask(() -> {
                held.close();
                return held;
            }, closed -> {}, true);
        } else if (shown && lookAgain) {
            lookAgain = false;
            ask(source.look()::get, this::found, true);
        } else if (shown && found != null && stage.get() == Stage.READY) {
            if (watching) {
                ask(held::read, this::read, false);
            } else {
                ask(() -> held.open(found), opened -> watching = true, true);
            }
        }
    }

    private void read(MachineMonitor.Moment now) {
        problem.set("");
        moment.set(now);
    }

    private void found(MachineView found) {
        looked.set(found);
        problem.set("");
        stage.set(Stage.READY);
    }

    /// @param goOn whether the next thing is done at once rather than at the next beat
    private <T> void ask(Callable<T> question, Consumer<T> answered, boolean goOn) {
        asking = true;
        work.run(question, answer -> {
            asking = false;
            if (disposed) {
                return;
            }
            answered.accept(answer);
            if (goOn || !shown || lookAgain) {
                next();
            }
        }, this::failed);
    }

    private void failed(Throwable failure) {
        asking = false;
        if (disposed) {
            return;
        }
        // What was read before is no reading of now.
        moment.set(null);
        problem.set(ErrorText.sentence(failure));
        if (stage.get() == Stage.LOOKING) {
            stage.set(Stage.FAILED);
        }
        if (!shown || lookAgain) {
            next();
        }
    }
}
