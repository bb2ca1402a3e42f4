package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.ui.fx.Messages.PseudoLocale;
import org.junit.jupiter.api.Test;

class PseudoLocaleTest {
    @Test
    void textsGrowAndParametersStay() {
        assertThat(PseudoLocale.of("Run {0} of {1}")).isEqualTo("[Rúñ {0} óf {1}~~~~]");
        assertThat(PseudoLocale.of("")).isEqualTo("[]");
        assertThat(PseudoLocale.of("{name}")).isEqualTo("[{ñámé}~~~]");
    }
}
