package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.ui.bench.LiveLog.LogEntry;
import org.inferometer.ui.bench.LiveLog.LogEntry.Level;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class LogViewModelTest {
    private final InlineUi ui = new InlineUi();
    private final LiveLog log = new LiveLog();
    private final LogViewModel model = new LogViewModel(log, ui);

    @Test
    void aClosedLogDoesNothing() {
        log.add(Level.INFO, 0, "line");
        assertThat(ui.running()).isZero();
        model.open().set(true);
        assertThat(ui.running()).isOne();
        assertThat(model.shown()).hasSize(1);
        model.open().set(false);
        assertThat(ui.running()).isZero();
        assertThat(model.shown()).isEmpty();
    }

    @Test
    void linesComeWithTheBeat() {
        model.open().set(true);
        log.add(Level.EVENT, 62, "Run 1 started");
        assertThat(model.shown()).isEmpty();
        ui.tick();
        log.add(Level.of("info", "WARNING: late"), 63, "WARNING: late");
        ui.tick();
        assertThat(model.text()).isEqualTo("01:02  event  Run 1 started\n01:03  warning  WARNING: late\n");
    }

    @Test
    void levelAndTextChooseLines() {
        model.open().set(true);
        log.add(Level.INFO, 0, "Loading");
        log.add(Level.WARNING, 1, "Late");
        log.add(Level.ERROR, 2, "Loader failed");
        model.least().set(Level.WARNING);
        assertThat(model.shown()).extracting(LogEntry::text).containsExactly("Late", "Loader failed");
        model.find().set(" LOAD");
        assertThat(model.shown()).extracting(LogEntry::text).containsExactly("Loader failed");
        model.least().set(Level.INFO);
        assertThat(model.shown()).extracting(LogEntry::text).containsExactly("Loading", "Loader failed");
    }

    @Test
    void memoryIsBounded() {
        model.open().set(true);
        for (int i = 0; i < LiveLog.MOST_LINES; i++) {
            log.add(Level.INFO, i, "line " + i);
        }
        ui.tick();
        for (int i = 0; i < 3; i++) {
            log.add(Level.INFO, i, "x".repeat(10_000));
        }
        ui.tick();
        assertThat(model.shown()).hasSize(LiveLog.MOST_LINES);
        assertThat(model.shown().getFirst().text()).isEqualTo("line 3");
        assertThat(model.shown().getLast().text()).hasSize(501).endsWith("x…");
    }

    @Test
    void controlCharactersAreReplaced() {
        model.open().set(true);
        log.add(Level.INFO, 0, "a\u001b[2Jb\u202ec");
        ui.tick();
        assertThat(model.shown().getFirst().text()).isEqualTo("a\ufffd[2Jb\ufffdc");
    }
}
