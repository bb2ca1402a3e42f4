package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.cli.Terminal;
import org.junit.jupiter.api.Test;

class AlignedColumnsTest {
    @Test
    void columnsAlignAndTheLastOneWraps() {
        AlignedColumns table = new AlignedColumns("NAME", "SIZE>", "WHAT");
        table.row("a", "1 B", "one two three four five six seven");
        table.row("längst", "12 KiB", "");
        assertThat(table.render(40)).isEqualTo("""
                NAME      SIZE  WHAT
                a          1 B  one two three four five
                                six seven
                längst  12 KiB
                """);
    }

    @Test
    void longWordStaysWhole() {
        assertThat(TextTable.wrapped("see /a/very/long/path/that/goes/on now", 10, false)).containsExactly("see",
                "/a/very/long/path/that/goes/on", "now");
    }

    @Test
    void listWithoutHeadersHasNoHeaderLine() {
        AlignedColumns facts = new AlignedColumns("", "");
        facts.row("CPU", "fast");
        assertThat(facts.render(80)).isEqualTo("CPU  fast\n");
    }

    @Test
    void theWidthOfATerminalIsTakenWithinReason() {
        assertThat(Terminal.columns(null)).isEqualTo(110);
        assertThat(Terminal.columns("80")).isEqualTo(80);
        assertThat(Terminal.columns("9999")).isEqualTo(110);
        assertThat(Terminal.columns("3")).isEqualTo(60);
        assertThat(Terminal.columns("wide")).isEqualTo(110);
    }
}
