package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.check.ReferenceForward;

/// Holds engines to the values of the checkpoint that they were made of, and to the published formulas.
final class KeptValues {
    static final int[] PROMPT = {7, 250, 3, 118, 42};
    static final int CONTINUED = 24;

    private KeptValues() {}

    /// Builds the engine of a checkpoint and opens it.
    static Engine built(Path engines, Path checkpoint, Precision precision) throws EngineFormatException {
        Path engine = engines.resolve("m-" + precision.id());
        try (Checkpoint opened = Checkpoint.open(checkpoint)) {
            new EngineBuilder().build(engine, opened.material("m", precision), fraction -> {});
        }
        assertThat(EngineVerifier.verify(engine, fraction -> {}).intact()).isTrue();
        return Engine.open(engine);
    }

    /// What is said of the values in an engine of this precision.
    static String treatment(Path checkpoint, Precision precision) throws EngineFormatException {
        try (Checkpoint opened = Checkpoint.open(checkpoint)) {
            return opened.treatment(opened.material("m", precision).formats()).orElse("");
        }
    }

    static void assertSameValues(WeightMatrix matrix, Tensor expected) {
        float[] row = new float[matrix.columns()];
        for (int i = 0; i < matrix.rows(); i++) {
            matrix.row(i, row, 0);
            int at = i * matrix.columns();
            float[] values = new float[row.length];
            for (int column = 0; column < row.length; column++) {
                // Of both zeros there is one.
                values[column] = (float) expected.values()[at + column] + 0f;
                row[column] += 0f;
            }
            assertThat(row).as("row %d", i).isEqualTo(values);
        }
    }

    /// @param most that a logit may differ, as a share of the largest
    static void assertComputes(Engine engine, PublishedCheckpoint values, double most) {
        PublishedFormulas formulas = new PublishedFormulas(values);
        double[] expected = formulas.logits(PROMPT);
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        ReferenceForward forward = new ReferenceForward(engine.descriptor().shape(), engine.weights());
        double[] logits = {};
        for (int token : PROMPT) {
            logits = forward.next(token);
        }
        for (int i = 0; i < expected.length; i++) {
            assertThat(Math.abs(logits[i] - expected[i]) / largest).as("logit %d", i).isLessThan(most);
        }
    }
}
