package org.inferometer.ui.bench;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.ui.bench.LiveLog.LogEntry;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// State of the log drawer: the lines of a level and with a text, updated twice a second while it is open and never while it is
/// closed. Belongs to the UI thread.
public final class LogViewModel {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private final LiveLog log;
    private final ObservableList<LogEntry> shown = FXCollections.observableArrayList();
    private final BooleanProperty open = new SimpleBooleanProperty();
    private final BooleanProperty follow = new SimpleBooleanProperty(true);
    private final ObjectProperty<LogEntry.Level> least = new SimpleObjectProperty<>(LogEntry.Level.INFO);
    private final StringProperty find = new SimpleStringProperty("");
    private final Ticks ticks;
    private boolean window = true;
    private Ticks.@Nullable Beat beat;
    private long next;

    LogViewModel(LiveLog log, Ticks ticks) {
        this.log = log;
        this.ticks = ticks;
        open.addListener((observed, before, now) -> beat());
        least.addListener((observed, before, now) -> restart());
        find.addListener((observed, before, now) -> restart());
    }

    /// Whether there is a window: without one nothing is updated.
    void setWindow(boolean opened) {
        window = opened;
        beat();
    }

    private void beat() {
        if (beat != null) {
            beat.stop();
            beat = null;
        }
        if (open.get() && window) {
            beat = ticks.every(PERIOD, this::update);
        }
        restart();
    }

    private void restart() {
        shown.clear();
        next = 0;
        if (open.get() && window) {
            update();
        }
    }

    /// Adds new lines and drops those that the log has dropped.
    private void update() {
        List<LogEntry> newer = log.from(next);
        if (newer.isEmpty()) {
            return;
        }
        next = newer.getLast().number() + 1;
        long oldest = log.oldest();
        int dropped = 0;
        while (dropped < shown.size() && shown.get(dropped).number() < oldest) {
            dropped++;
        }
        shown.remove(0, dropped);
        String wanted = LetterCase.lower(find.get().strip());
        shown.addAll(newer.stream().filter(
                entry -> entry.level().compareTo(least.get()) >= 0 && LetterCase.lower(entry.text()).contains(wanted))
                .toList());
    }

    /// The shown lines as text.
    public String text() {
        return shown.stream().map(LogEntry::line).collect(Collectors.joining("\n", "", "\n"));
    }

    /// The last lines of every level, also while the drawer is closed.
    public List<String> last(int most) {
        List<LogEntry> all = log.from(0);
        return all.subList(Math.max(0, all.size() - most), all.size()).stream().map(LogEntry::line).toList();
    }

    /// The lines to show, oldest first.
    public ObservableList<LogEntry> shown() {
        return shown;
    }

    /// Whether the drawer is open.
    public BooleanProperty open() {
        return open;
    }

    /// Whether the newest line stays in sight.
    public BooleanProperty follow() {
        return follow;
    }

    /// The least severe level that is shown.
    public ObjectProperty<LogEntry.Level> least() {
        return least;
    }

    /// Only lines with this text are shown.
    public StringProperty find() {
        return find;
    }
}
