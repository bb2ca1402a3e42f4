package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.ModelLayout;
import org.inferometer.engine.Shapes;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.WeightSource;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.junit.jupiter.api.Test;

class OrderedWeightsTest {
    /// Every value names its row and column.
    private static final WeightSource NUMBERED = new WeightSource() {
        @Override
        public WeightOrigin origin() {
            return new WeightOrigin(null, "numbered");
        }

        @Override
        public void row(WeightSpec weight, int row, float[] destination) {
            for (int column = 0; column < weight.columns(); column++) {
                destination[column] = 1000 * row + column;
            }
        }
    };

    /// GPT-2 has a bias before its down projection.
    @Test
    void rowsAndBiasOfUpTakeTheOrderOfDownsInputs() {
        List<WeightSpec> weights = ModelLayout.of(Shapes.gpt2());
        WeightSpec down = named(weights, "layers.0.ffn.down.weight");
        int columns = down.columns();
        int[] groupOf = new int[columns];
        for (int column = 0; column < columns; column++) {
            groupOf[column] = (columns - 1 - column) / 32;
        }
        Map<WeightSpec, QuantisedMatrix> quantised = new HashMap<>();
        quantised.put(down, ordered(down, groupOf));
        WeightSource ordered = new OrderedWeights(NUMBERED, InputOrders.of(weights, quantised, 32));
        int first = columns - 32;
        assertThat(row(ordered, down, 7)).startsWith(7000 + first, 7001 + first);
        assertThat(row(ordered, named(weights, "layers.0.ffn.up.weight"), 1)).startsWith(1000 * (first + 1),
                1000 * (first + 1) + 1);
        assertThat(row(ordered, named(weights, "layers.0.ffn.up.bias"), 0)).startsWith(first, first + 1);
        for (String other : List.of("layers.1.ffn.up.bias", "layers.0.ffn.down.bias", "layers.0.attn.q.bias",
                "layers.0.ffn_norm.weight", "embed.weight")) {
            WeightSpec weight = named(weights, other);
            assertThat(row(ordered, weight, 0)).as(other).isEqualTo(row(NUMBERED, weight, 0));
        }
    }

    private static Int4Matrix ordered(WeightSpec weight, int[] groupOf) {
        byte[] ones = new byte[2 * weight.rows() * weight.columns()];
        FloatTensor scales = new FloatTensor(SafetensorsDtype.F16, MemorySegment.ofArray(ones), 1);
        return new Int4Matrix(Quantisation.Kind.GPTQ, new Int4Matrix.Slice(weight.rows(), 0, weight.rows()),
                weight.columns(), MemorySegment.ofArray(ones), null, scales, 32, groupOf);
    }

    private static WeightSpec named(List<WeightSpec> weights, String name) {
        return weights.stream().filter(weight -> weight.name().equals(name)).findFirst().orElseThrow();
    }

    private static float[] row(WeightSource source, WeightSpec weight, int row) {
        float[] values = new float[weight.columns()];
        source.row(weight, row, values);
        return values;
    }
}
