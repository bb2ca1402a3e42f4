package org.inferometer.ui.devices;

import static org.inferometer.ui.fx.Messages.text;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.run.RunningExperiment;
import org.inferometer.selfcheck.LearnedVariation;
import org.inferometer.ui.devices.DeviceSource.NoiseCalibration;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// State of the noise calibration. Belongs to the UI thread.
final class NoiseViewModel {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final NoiseCalibration calibration;
    private final BackgroundWork work;
    private final ReadOnlyBooleanWrapper running = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper sentence = new ReadOnlyStringWrapper("");
    private volatile @Nullable RunningExperiment experiment;
    private volatile boolean cancelled;

    NoiseViewModel(NoiseCalibration calibration, BackgroundWork work) {
        this.calibration = calibration;
        this.work = work;
    }

    /// Whether experiments run for it.
    ReadOnlyBooleanProperty running() {
        return running.getReadOnlyProperty();
    }

    /// What is known, what runs, or why it failed.
    ReadOnlyStringProperty sentence() {
        return sentence.getReadOnlyProperty();
    }

    /// Reads what was learned last.
    void refresh() {
        if (!running.get()) {
            work.run(WindowWork.OWN, calibration::last, this::show,
                    failure -> sentence.set(ErrorText.sentence(failure)));
        }
    }

    private void show(Optional<LearnedVariation> last) {
        sentence.set(last.map(NoiseViewModel::known).orElse(text("noise.unknown")));
    }

    private static String known(LearnedVariation learned) {
        Map<String, Double> deviations = learned.variation().deviations();
        String parts = Stream.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TTFT.p50(), Metrics.ITL.p50())
                .filter(metric -> deviations.containsKey(metric.id()))
                .map(metric -> part(metric, deviations.getOrDefault(metric.id(), 0.0)))
                .collect(Collectors.joining(", "));
        return text("noise.known", parts, learned.variation().experiments(), MINUTE.format(learned.measured()));
    }

    private static String part(Metric metric, double deviation) {
        return metric.label() + " " + QuantityText.significant(100 * deviation) + " %";
    }

    /// Runs the experiments; a running one of the user is asked about first.
    void start() {
        if (running.get()) {
            return;
        }
        running.set(true);
        cancelled = false;
        sentence.set(text("noise.begins"));
        work.run(WindowWork.NOISE_CALIBRATION, () -> calibration.run(this::report, this::began), results -> {
            running.set(false);
            refresh();
        }, failure -> {
            running.set(false);
            sentence.set(cancelled ? text("noise.cancelled") : ErrorText.sentence(failure));
        }, () -> {
            running.set(false);
            refresh();
        });
    }

    private void report(String progress) {
        work.ui().run(() -> sentence.set(text("noise.running", progress)));
    }

    private void began(RunningExperiment started) {
        experiment = started;
        if (cancelled) {
            started.cancel();
        }
    }

    /// Ends the experiment that runs; nothing is learned.
    void cancel() {
        cancelled = true;
        RunningExperiment started = experiment;
        if (started != null) {
            started.cancel();
        }
    }
}
