package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;

/// How much the window shows of a running experiment. On the host backend the window shares cores with what is measured.
public enum LiveMode {
    /// Everything: figures twice a second, each chart once a second, half of the charts at a time.
    LIVE(Duration.ofMillis(500)),
    /// Figures once a second, no charts.
    LOW_IMPACT(Duration.ofSeconds(1)),
    /// The remaining time every five seconds.
    BLACKOUT(Duration.ofSeconds(5));

    private static final int LEAST_CORES = 4;
    private final Duration period;

    LiveMode(Duration period) {
        this.period = period;
    }

    /// The time between two updates of the window.
    Duration period() {
        return period;
    }

    /// Its name in settings: "low-impact".
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The mode of a name in settings; unknown names are [#LIVE].
    public static LiveMode of(String key) {
        return Arrays.stream(values()).filter(mode -> mode.key().equals(key)).findFirst().orElse(LIVE);
    }

    /// The mode until a person chooses one: [#LOW_IMPACT] if a backend computes on fewer than four cores and leaves none to the window, else
    /// [#LIVE].
    static LiveMode usual(ExperimentSpec spec, int cores) {
        boolean sharesCores = !spec.engines().isEmpty() && spec.backends().stream().map(Subject::coreThreads)
                .anyMatch(threads -> threads.isPresent() && (threads.getAsInt() == 0 || threads.getAsInt() >= cores));
        return sharesCores && cores < LEAST_CORES ? LOW_IMPACT : LIVE;
    }

    /// Its name for people: "Low impact".
    public String label() {
        return text("live.mode." + key());
    }

    /// The mode after this one; the first after the last.
    public LiveMode next() {
        return values()[(ordinal() + 1) % values().length];
    }
}
