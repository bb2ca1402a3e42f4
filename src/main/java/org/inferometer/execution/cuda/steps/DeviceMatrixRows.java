package org.inferometer.execution.cuda.steps;

import java.util.List;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.cuda.device.DeviceFormat;

/// The rows of one or more weight matrices in device order.
public sealed interface DeviceMatrixRows {
    /// One row of one of the matrices.
    record Source(int matrix, int row) {}

    /// Matrices of equal inputs and format.
    List<WeightMatrix> matrices();

    /// Number of rows on the device.
    public int count();

    /// The source of row `at`; a row after the matrix's last is zeros.
    Source source(int at);

    default DeviceFormat format() {
        return DeviceFormat.of(matrices().getFirst());
    }

    default int columns() {
        return matrices().getFirst().columns();
    }

    private static List<WeightMatrix> alike(List<WeightMatrix> matrices) {
        WeightMatrix first = matrices.getFirst();
        if (matrices.stream().anyMatch(
                each -> DeviceFormat.of(each) != DeviceFormat.of(first) || each.columns() != first.columns())) {
            throw new IllegalArgumentException("Only matrices of equal inputs and format can be stacked");
        }
        return List.copyOf(matrices);
    }

    /// Matrices stacked vertically.
    record Stacked(List<WeightMatrix> matrices) implements DeviceMatrixRows {
        public Stacked {
            matrices = alike(matrices);
        }

        @Override
        public int count() {
            return matrices.stream().mapToInt(WeightMatrix::rows).sum();
        }

        @Override
        public Source source(int at) {
            int matrix = 0;
            int row = at;
            while (row >= matrices.get(matrix).rows()) {
                row -= matrices.get(matrix).rows();
                matrix++;
            }
            return new Source(matrix, row);
        }
    }

    /// Gate and up rows in alternating groups of eight, so that one lane of a product computes both of a pair. Padded
    /// with zeros to whole groups.
    record Gated(WeightMatrix gate, WeightMatrix up) implements DeviceMatrixRows {
        private static final int EACH = 8;

        public Gated {
            if (gate.rows() != up.rows()) {
                throw new IllegalArgumentException("Gate and up must have equal numbers of rows");
            }
            alike(List.of(gate, up));
        }

        /// Rows on the device for an intermediate width.
        public static int count(int intermediate) {
            return 2 * Math.ceilDiv(intermediate, EACH) * EACH;
        }

        @Override
        public List<WeightMatrix> matrices() {
            return List.of(gate, up);
        }

        @Override
        public int count() {
            return count(gate.rows());
        }

        @Override
        public Source source(int at) {
            return new Source(at / EACH % 2, at / (2 * EACH) * EACH + at % EACH);
        }
    }
}
