package org.inferometer.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextSizeTest {
    @Test
    void fontsAndControlsGrowTogether() {
        String sheet =
                ".a { -fx-font-size: 12px; -fx-pref-height: 28; -fx-min-width: 40; -fx-padding: 3; -fx-icon-size: 16px; }";
        assertThat(new TextSize(150).scaled(sheet)).isEqualTo("""
                .ikonli-font-icon { -fx-icon-size: 27.0px; }
                .a { -fx-font-size: 18.0px; -fx-pref-height: 42.0; -fx-min-width: 60.0; -fx-padding: 3; -fx-icon-size: 24.0px; }
                .root { -fx-font-size: 21.0px; }
                """);
        assertThat(TextSize.USUAL.scaled(sheet)).isEqualTo(sheet);
    }

    @Test
    void unknownSizesAreTheUsualOne() {
        assertThat(TextSize.of("130")).isEqualTo(new TextSize(130));
        assertThat(TextSize.of("1000000")).isEqualTo(TextSize.USUAL);
        assertThat(TextSize.of("")).isEqualTo(TextSize.USUAL);
    }
}
