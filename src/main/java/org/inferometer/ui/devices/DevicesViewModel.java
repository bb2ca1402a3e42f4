package org.inferometer.ui.devices;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.ui.devices.DeviceSource.Readings;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// State of the Devices view: one inspection, then readings every second while the view is visible.
///
/// Belongs to the UI thread; the source is called in the background, one call at a time.
public final class DevicesViewModel {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final DeviceSource source;
    private final DeviceWatch held;
    private final BackgroundWork work;
    private final Ticks ticks;
    private final ReadOnlyObjectWrapper<InspectionState> stage = new ReadOnlyObjectWrapper<>(InspectionState.LOOKING);
    private final ReadOnlyObjectWrapper<@Nullable MachineView> looked = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<MachineMonitor.@Nullable Moment> moment = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private Ticks.@Nullable Beat beat;
    private boolean watching;
    private boolean disposed;
    private boolean shown;
    private boolean asking;
    private boolean lookAgain = true;
    private final NoiseViewModel noise;

    public enum InspectionState {
        /// The machine is being inspected.
        LOOKING,
        /// The machine is shown.
        READY,
        /// The inspection failed.
        FAILED
    }

    /// Does nothing before the view is shown.
    public DevicesViewModel(DeviceSource source, BackgroundWork work, Ticks ticks) {
        this.source = source;
        this.held = new DeviceWatch(source);
        this.work = work;
        this.noise = new NoiseViewModel(source.noise(), work);
        this.ticks = ticks;
    }

    /// How much equal experiments differ here.
    NoiseViewModel noise() {
        return noise;
    }

    /// State of the inspection.
    public ReadOnlyObjectProperty<InspectionState> stage() {
        return stage.getReadOnlyProperty();
    }

    /// The machine; null before the first inspection.
    public ReadOnlyObjectProperty<@Nullable MachineView> looked() {
        return looked.getReadOnlyProperty();
    }

    /// The latest readings; null when there are none or the last ones failed.
    public ReadOnlyObjectProperty<MachineMonitor.@Nullable Moment> moment() {
        return moment.getReadOnlyProperty();
    }

    /// Why the inspection or the last readings failed; empty otherwise.
    public ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// Sets whether the view is visible; readings run only then.
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

    /// Ends all readings; open ones are closed in the background.
    public void dispose() {
        setShowing(false);
        disposed = true;
        work.run(WindowWork.OWN, () -> {
            held.end();
            return held;
        }, ended -> {}, failure -> {});
    }

    /// Inspects the machine again.
    public void refresh() {
        lookAgain = true;
        stage.set(InspectionState.LOOKING);
        next();
    }

    /// Starts the next call unless one is running.
    private void next() {
        if (asking || disposed) {
            return;
        }
        MachineView found = looked.get();
        if (watching && (!shown || lookAgain)) {
            watching = false;
            moment.set(null);
            ask(WindowWork.OWN, () -> {
                held.close();
                return held;
            }, closed -> {}, true);
        } else if (shown && lookAgain) {
            lookAgain = false;
            ask(WindowWork.DEVICE_CHECK, source.look()::get, this::found, true);
        } else if (shown && found != null && stage.get() == InspectionState.READY) {
            if (watching) {
                ask(WindowWork.OWN, held::read, this::read, false);
            } else {
                ask(WindowWork.OWN, () -> held.open(found), opened -> watching = true, true);
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
        stage.set(InspectionState.READY);
    }

    /// @param goOn whether the next call follows at once instead of on the next tick
    private <T> void ask(WindowWork kind, Callable<T> question, Consumer<T> answered, boolean goOn) {
        asking = true;
        work.run(kind, question, answer -> {
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
        // The last readings are outdated.
        moment.set(null);
        problem.set(ErrorText.sentence(failure));
        if (stage.get() == InspectionState.LOOKING) {
            stage.set(InspectionState.FAILED);
        }
        if (!shown || lookAgain) {
            next();
        }
    }

    /// Holds the open readings in the background and closes them even when the window closes during opening.
    ///
    /// Thread-safe; calls are serialised.
    private static final class DeviceWatch {
        private final DeviceSource source;
        private @Nullable Readings open;
        private boolean ended;

        DeviceWatch(DeviceSource source) {
            this.source = source;
        }

        /// Opens readings. No effect after the end.
        synchronized DeviceWatch open(MachineView found) {
            close();
            if (!ended) {
                open = source.watch().apply(found.report().gpus());
            }
            return this;
        }

        /// All readings of now.
        ///
        /// @throws IllegalStateException when no readings are open
        synchronized MachineMonitor.Moment read() {
            Readings watched = open;
            if (watched == null) {
                throw new IllegalStateException("Nothing is watched.");
            }
            return watched.read();
        }

        /// Closes the readings, if open.
        synchronized void close() {
            Readings watched = open;
            open = null;
            if (watched != null) {
                watched.close();
            }
        }

        /// Closes the readings for good.
        synchronized void end() {
            ended = true;
            close();
        }
    }
}
