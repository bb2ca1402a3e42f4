package org.inferometer.execution.host.kernels;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.onednn.IntegerProducts;
import org.inferometer.execution.host.onednn.OneDnn;
import org.inferometer.execution.host.packed.PackedModel;
import org.inferometer.execution.host.parallel.Vectors;

/// The products of one executor: which serves a format and a number of rows.
///
/// Chosen when the executor opens, from the weights, the options, the largest step and the processor's instructions. Nothing is
/// timed, so a machine chooses the same way each time. The caller closes it after the lanes.
///
/// @param format of INT4 or INT8 matrices
/// @param floats for BF16 and FP8
/// @param integers for INT4 and INT8
/// @param description batch invariance first: "deterministic"
public record MatrixProducts(IntegerFormat format, ByRows floats, ByRows integers,
        String description) implements AutoCloseable {
    /// Fewer rounded rows are faster by the kernels that decode in registers.
    static final int FEWEST_BYTE_ROWS = 5;

    /// What INT4 and INT8 matrices of an engine have in common.
    ///
    /// @param weights INT4 or INT8
    /// @param groupColumns inputs of a group, which rounded rows have too
    public record IntegerFormat(Precision weights, int groupColumns) {
        /// Of engines without integers, too.
        public static final IntegerFormat INT4 = new IntegerFormat(Precision.INT4, WeightMatrix.Int4.GROUP_COLUMNS);

        static IntegerFormat of(List<WeightMatrix> matrices) {
            for (WeightMatrix matrix : matrices) {
                if (matrix instanceof WeightMatrix.Int4 int4) {
                    return new IntegerFormat(Precision.INT4, int4.groupColumns());
                }
                if (matrix instanceof WeightMatrix.Int8) {
                    return new IntegerFormat(Precision.INT8, WeightMatrix.Int8.GROUP_COLUMNS);
                }
            }
            return INT4;
        }
    }

    /// The products of a format.
    ///
    /// @param few serves fewer rows than `fewest`
    public record ByRows(MatrixProduct few, int fewest, MatrixProduct many) {
        /// One product for any number of rows.
        public static ByRows all(MatrixProduct product) {
            return new ByRows(product, 1, product);
        }

        MatrixProduct of(int rows) {
            return rows < fewest ? few : many;
        }
    }

    /// Products and the words that describe their choice.
    record Chosen(ByRows products, String description) {}

    /// What multiplies many rows if rows may depend on each other.
    ///
    /// @param fewest rows whose product pays for widening the weights
    record FloatChoice(FloatFormat format, int fewest) {
        /// BF16 where the processor multiplies it, with AVX-512 or AMX: from 16 rows on it was faster in every format. Else FP32, which paid from
        /// some 104 rows on where it was 1.33 times as fast as the portable kernels.
        static FloatChoice of(boolean multipliesBf16) {
            return multipliesBf16 ? new FloatChoice(FloatFormat.BF16, 16) : new FloatChoice(FloatFormat.FP32, 128);
        }
    }

    /// @param activations of INT4 and INT8 matrices
    /// @param deterministic whether rows must not depend on each other
    /// @param maxRows of a step
    public static MatrixProducts of(ModelWeights weights, Activations activations, boolean deterministic, int maxRows) {
        List<WeightMatrix> matrices = PackedModel.distinct(weights);
        IntegerFormat format = IntegerFormat.of(matrices);
        boolean rounds = activations == Activations.INT8;
        Set<Integer> roundedWidths = widths(matrices, rounds, true);
        Set<Integer> otherWidths = widths(matrices, rounds, false);
        Chosen floats = portable(deterministic ? "" : " (every kernel is batch-invariant)");
        if (!deterministic && !otherWidths.isEmpty()) {
            floats = fastest(otherWidths, maxRows);
        }
        if (roundedWidths.isEmpty()) {
            return new MatrixProducts(format, floats.products(), floats.products(), floats.description());
        }
        Chosen integers = rounded(format, roundedWidths, maxRows);
        return new MatrixProducts(format, floats.products(), integers.products(),
                floats.description() + ", " + integers.description());
    }

    /// Inputs of the matrices that meet rounded rows, or of the others.
    private static Set<Integer> widths(List<WeightMatrix> matrices, boolean rounds, boolean rounded) {
        return matrices.stream().filter(matrix -> (rounds && matrix.precision().isInteger()) == rounded)
                .map(WeightMatrix::columns).collect(Collectors.toCollection(TreeSet::new));
    }

    /// The kernels of Java for everything.
    public static MatrixProducts portable(IntegerFormat format, Activations activations) {
        Chosen floats = portable("");
        ByRows integers = activations == Activations.FP32 ? floats.products()
                : ByRows.all(new MatrixProduct.Rounded(format.weights()));
        return new MatrixProducts(format, floats.products(), integers, floats.description());
    }

    private static Chosen portable(String why) {
        return new Chosen(ByRows.all(fp32()), "deterministic" + why);
    }

    private static MatrixProduct fp32() {
        return new MatrixProduct.Fp32(Vectors.registers() >= 32);
    }

    static Chosen fastest(Set<Integer> widths, int maxRows) {
        try {
            return byOneDnn(FloatChoice.of(OneDnn.multipliesBf16()), widths, maxRows);
        } catch (IOException | RuntimeException | LinkageError unavailable) {
            return portable(" (portable kernels, " + unavailable.getMessage() + ")");
        }
    }

    /// @throws IOException with the reason, if the library is missing or has nothing fast for this processor
    static Chosen byOneDnn(FloatChoice choice, Set<Integer> widths, int maxRows) throws IOException {
        if (choice.fewest() > maxRows) {
            return portable(" (portable kernels, because steps have at most " + maxRows + " rows and oneDNN in "
                    + choice.format() + " pays from " + choice.fewest() + " on)");
        }
        FloatProducts products = FloatProducts.open(choice.format(), widths, maxRows);
        try {
            return new Chosen(new ByRows(fp32(), choice.fewest(), new MatrixProduct.FloatsByOneDnn(products)),
                    "not batch-invariant: " + choice.fewest() + " rows and more by oneDNN in " + choice.format() + " ("
                            + products.requireFast() + ")");
        } catch (IOException slow) {
            products.close();
            throw slow;
        }
    }

    /// Products of rounded rows, which have the same bits by oneDNN and by the portable kernels.
    static Chosen rounded(IntegerFormat format, Set<Integer> widths, int maxRows) {
        MatrixProduct portable = new MatrixProduct.Rounded(format.weights());
        try {
            IntegerProducts products = IntegerProducts.open(format.groupColumns(), widths, maxRows);
            return new Chosen(new ByRows(portable, FEWEST_BYTE_ROWS, new MatrixProduct.RoundedByOneDnn(products)),
                    "8-bit activations by " + products.implementation());
        } catch (IOException | RuntimeException | LinkageError unavailable) {
            // Server archives contain neither the library nor the classes that load it.
            System.getLogger(MatrixProducts.class.getName()).log(Level.DEBUG,
                    format.weights() + " products use the portable kernels: " + unavailable.getMessage(), unavailable);
            return new Chosen(ByRows.all(portable),
                    "8-bit activations by portable kernels in 16-bit lanes (" + unavailable.getMessage() + ")");
        }
    }

    /// @param ofIntegers whether the matrices are INT4 or INT8
    MatrixProduct of(boolean ofIntegers, int rows) {
        return (ofIntegers ? integers : floats).of(rows);
    }

    /// Whether rows are rounded for INT4 and INT8.
    boolean rounds() {
        return integers.few() instanceof MatrixProduct.Rounded;
    }

    /// Each product once.
    Set<MatrixProduct> all() {
        return new LinkedHashSet<>(List.of(floats.few(), floats.many(), integers.few(), integers.many()));
    }

    @Override
    public void close() {
        all().forEach(MatrixProduct::close);
    }
}
