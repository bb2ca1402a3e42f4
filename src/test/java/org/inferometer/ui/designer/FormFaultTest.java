package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.experiment.PlanFault;
import org.junit.jupiter.api.Test;

class FormFaultTest {
    @Test
    void faultsOfThePlannerAreLedToTheirFields() {
        assertThat(FormFault.of(new PlanFault("limits.max_batch_size", "Raise it to 2.")))
                .isEqualTo(new FormFault("field.limits.max-batch-size", "Requests in a step", "Raise it to 2."))
                .hasToString("Requests in a step: Raise it to 2.");
        assertThat(FormFault.of(new PlanFault("backend", "host:lanes=2 is too few.")).key())
                .isEqualTo("designer.backend");
        assertThat(FormFault.of(new PlanFault("tiny-int4 · naive", "Too long."))).as("no field of its own")
                .isEqualTo(new FormFault("", "tiny-int4 · naive", "Too long."));
        assertThat(FormFault.of(new PlanFault("", "Too long."))).hasToString("Too long.");
    }
}
