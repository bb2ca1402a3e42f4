package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/// How much the window shows of a running experiment. On the host backend the window shares cores with what is measured.
public enum LiveMode {
    /// Everything: figures twice a second, each chart once a second, half of the charts at a time.
    LIVE(Duration.ofMillis(500)),
    /// Figures once a second, no charts.
    LOW_IMPACT(Duration.ofSeconds(1)),
    /// The remaining time every five seconds.
    BLACKOUT(Duration.ofSeconds(5));

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

    /// Its name for people: "Low impact".
    public String label() {
        return text("live.mode." + key());
    }

    /// The mode after this one; the first after the last.
    public LiveMode next() {
        return values()[(ordinal() + 1) % values().length];
    }
}
