package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.inferometer.units.CommandAdvice;
import org.junit.jupiter.api.Test;

class WindowAdviceTest {
    @Test
    void noAdviceNamesACommandInTheWindow() {
        List<String> said = Arrays.stream(CommandAdvice.values()).map(advice -> advice.words("tiny-fp8"))
                .map(WindowAdvice::of).toList();
        assertThat(said).containsExactly("Calibrate this machine once in Devices.", "(both chosen in the designer)",
                "(Calibrate in Devices)", "(Arrivals in the designer)", "(Quality in Engines)", "in Engines",
                "in Engines");
    }

    @Test
    void theRestOfASentenceStays() {
        assertThat(WindowAdvice.of("Two experiments, 3 h apart: the intervals do not contain the variation between"
                + " experiments. Measure both sides in one (run --against), or learn the variation (selfcheck --aa)."))
                .isEqualTo("Two experiments, 3 h apart: the intervals do not contain the variation between experiments."
                        + " Measure both sides in one (both chosen in the designer), or learn the variation"
                        + " (Calibrate in Devices).");
    }

    @Test
    void optionsBecomeLabelsOfTheForm() {
        assertThat(WindowAdvice.of("Allow more runs with --max-runs, or make the runs longer."))
                .isEqualTo("Allow more runs with “Most runs”, or make the runs longer.");
        assertThat(WindowAdvice.of("Give --max-lengths.")).isEqualTo("Give --max-lengths.");
    }
}
