package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.ui.shell.CommandPalette.PaletteEntry;
import org.junit.jupiter.api.Test;

class PaletteEntryTest {
    @Test
    void charactersAreFoundInTheirOrder() {
        assertThat(entry("Show whole timeline").match("swt")).isPositive();
        assertThat(entry("Show whole timeline").match("tws")).isZero();
        assertThat(entry("Show whole timeline").match("TIME whole file")).isPositive();
        assertThat(entry("Show whole timeline").match("time view")).isZero();
        assertThat(entry("Show whole timeline").match("")).isPositive();
        assertThat(entry("Quit").match("quite")).isZero();
    }

    @Test
    void wordsStandBeforeScatteredCharacters() {
        List<String> found = Stream
                .of("Export scheduler tables and charts", "Compare results", "Save report", "Import results")
                .map(PaletteEntryTest::entry).filter(entry -> entry.match("port") > 0)
                .sorted(Comparator.comparingInt(entry -> -entry.match("port"))).map(PaletteEntry::label).toList();
        assertThat(found).containsExactly("Export scheduler tables and charts", "Save report", "Import results");
        assertThat(entry("Save report").match("sr")).isGreaterThan(entry("Compare results").match("sr"));
    }

    private static PaletteEntry entry(String label) {
        return new PaletteEntry("id", label, "File", "", "", () -> {});
    }
}
