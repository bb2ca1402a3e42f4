package org.inferometer.execution.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.check.AgreementExtent;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.scheduling.LaneLayout;
import org.junit.jupiter.api.Test;

class ModelCheckTest {
    private static final ModelShape SHAPE = RandomModel.odd(ModelFamily.LLAMA);

    private static ModelWeights weights(int groupColumns) {
        return RandomModel.of(SHAPE, new WeightFormats(Precision.INT4, Precision.BF16, groupColumns), 3).weights();
    }

    @Test
    void fp8ScalesOfGroupsAreRefusedWhereOutputsAloneHaveThem() throws Exception {
        ModelCheck.requireDeviceFormats("toy", RandomModel.of(SHAPE, Precision.FP8, 3).weights());
        ModelWeights groups = RandomModel.of(SHAPE, new WeightFormats(Precision.FP8, Precision.BF16, 128), 3).weights();
        assertThatThrownBy(() -> ModelCheck.requireDeviceFormats("toy", groups)).isInstanceOf(ExecutorException.class)
                .hasMessageStartingWith("The toy backend multiplies FP8 with a scale for each output, and this engine "
                        + "has one for each 128 inputs: run it on the host backend");
    }

    @Test
    void groupsOfTwoWidthsInOneModelAreRefused() {
        ModelWeights narrow = weights(64);
        ModelWeights mixed = new ModelWeights(narrow.embedding(), narrow.positions(),
                List.of(narrow.layers().getFirst(), weights(32).layers().getLast()), narrow.finalNorm(), narrow.head());
        ExecutorSizes sizes = new AgreementExtent(List.of(1), 1).sizes(1, 1, 1 << 16);
        assertThatThrownBy(() -> ModelCheck.require("toy", SHAPE, mixed, LaneLayout.sharing(1), sizes))
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("INT4 matrices differ in the width of their groups");
        assertThat(narrow.layers()).hasSize(2);
    }
}
