package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.RandomModel;
import org.junit.jupiter.api.Test;

class DeviceMatrixRowsTest {
    private final ModelWeights.LayerWeights layer =
            RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 32, 11, 4, 2, 8, 20, null), Precision.FP8, 1)
                    .weights().layers().getFirst();

    private static List<String> order(DeviceMatrixRows rows) {
        return IntStream.range(0, rows.count()).mapToObj(rows::source)
                .map(source -> source.matrix() + ":" + source.row()).toList();
    }

    @Test
    void gatesAndUpRowsAlternateInPaddedEights() {
        ModelWeights.FeedForward.SwiGlu feedForward = (ModelWeights.FeedForward.SwiGlu) layer.feedForward();
        DeviceMatrixRows rows = new DeviceMatrixRows.Gated(feedForward.gate().weight(), feedForward.up().weight());
        assertThat(order(rows)).containsExactly("0:0", "0:1", "0:2", "0:3", "0:4", "0:5", "0:6", "0:7", "1:0", "1:1",
                "1:2", "1:3", "1:4", "1:5", "1:6", "1:7", "0:8", "0:9", "0:10", "0:11", "0:12", "0:13", "0:14", "0:15",
                "1:8", "1:9", "1:10", "1:11", "1:12", "1:13", "1:14", "1:15");
    }

    @Test
    void stackedMatricesStandOneBelowTheOther() {
        WeightMatrix key = layer.key().weight();
        assertThat(order(new DeviceMatrixRows.Stacked(List.of(key, key)))).hasSize(2 * key.rows())
                .startsWith("0:0", "0:1").endsWith("1:" + (key.rows() - 1));
    }

    @Test
    void onlyMatricesOfEqualInputsCanBeStacked() {
        ModelWeights.FeedForward.SwiGlu feedForward = (ModelWeights.FeedForward.SwiGlu) layer.feedForward();
        assertThatThrownBy(
                () -> new DeviceMatrixRows.Stacked(List.of(layer.key().weight(), feedForward.down().weight())))
                .hasMessageContaining("equal inputs");
    }
}
