package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LabelsTest {
    @Test
    void unitsStayWithTheirNumbers() {
        assertThat(Labels.unbroken("4 runs. Weights 15.0 MiB and 64 B, 100 ms each, 12.5 % of 24.0 GiB, 3 tok/s."))
                .isEqualTo(
                        "4 runs. Weights 15.0\u00a0MiB and 64\u00a0B, 100\u00a0ms each, 12.5\u00a0% of 24.0\u00a0GiB, 3\u00a0tok/s.");
        assertThat(Labels.unbroken("2 schedulers of 3 Bench views, 1 minute"))
                .isEqualTo("2 schedulers of 3 Bench views, 1 minute");
    }
}
