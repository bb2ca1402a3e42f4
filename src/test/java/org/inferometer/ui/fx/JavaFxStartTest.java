package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JavaFxStartTest {
    private static final String PROPERTY = "prism.marlin.subPixel_log2_Y";
    private final String before = System.getProperty(PROPERTY);

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(PROPERTY);
        } else {
            System.setProperty(PROPERTY, before);
        }
    }

    @Test
    void aNumberOfTheUserStays() {
        System.setProperty(PROPERTY, "3");
        JavaFxStart.halveEdgeSampling();
        assertThat(System.getProperty(PROPERTY)).isEqualTo("3");
        System.clearProperty(PROPERTY);
        JavaFxStart.halveEdgeSampling();
        assertThat(System.getProperty(PROPERTY)).isEqualTo("2");
    }
}
