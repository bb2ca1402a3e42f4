package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.options.Selection;
import org.junit.jupiter.api.Test;

class ThreadWarningTest {
    private static List<String> warnings(String backend, int processors) {
        ExperimentSpec spec =
                ExperimentFields.BACKEND.with(new Presets().find("quick"), List.of(Selection.parse(backend)));
        return ThreadWarning.of(spec, processors);
    }

    @Test
    void moreThreadsThanProcessorsAreWarnedOf() {
        assertThat(warnings("host:threads=8", 2))
                .containsExactly("host:threads=8 has more threads than the machine has processors (2): "
                        + "runs become several times slower. Set threads to 2 or less.");
    }

    @Test
    void threadsThatFitAreNotWarnedOf() {
        assertThat(warnings("host:threads=2", 2)).isEmpty();
        assertThat(warnings("host", 1)).isEmpty();
    }
}
