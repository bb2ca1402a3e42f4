package org.inferometer.engine.checkpoint;

import java.util.Optional;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSpec.WeightRole;
import org.inferometer.engine.gguf.GgufFile.GgufTensor;
import org.inferometer.engine.gguf.GgufInt4;
import org.inferometer.engine.gguf.GgufInt8;

/// Counts the matrices of a GGUF file whose values an INT4 or INT8 engine has exactly, and says which formats such an engine has.
final class KeptBlocks {
    /// Inputs of a block: Q4_0 and Q8_0 have the same.
    static final int GROUP_COLUMNS = GgufInt4.GROUP_COLUMNS;

    private final Precision precision;
    private int projections;
    private int keptProjections;
    private int tables;
    private int keptTables;

    /// @param precision INT4 or INT8
    KeptBlocks(Precision precision) {
        this.precision = precision;
    }

    /// Whether an engine of a precision has a tensor's values exactly.
    private static boolean isKept(Precision precision, GgufTensor tensor) {
        return precision == Precision.INT4 ? GgufInt4.holds(tensor) : GgufInt8.holds(tensor);
    }

    void add(WeightRole role, GgufTensor tensor) {
        int kept = isKept(precision, tensor) ? 1 : 0;
        switch (role) {
            case PROJECTION, RESIDUAL_PROJECTION -> {
                projections++;
                keptProjections += kept;
            }
            case EMBEDDING, HEAD -> {
                tables++;
                keptTables += kept;
            }
            case POSITIONS, NORM_WEIGHT, NORM_BIAS, PROJECTION_BIAS, INPUT_ORDER -> {}
        }
    }

    /// Embedding and head stay in 16 bits beside projections that are kept, unless they are kept too.
    WeightFormats formats() {
        return keptProjections == 0 ? WeightFormats.all(precision)
                : new WeightFormats(precision, areTablesKept() ? precision : Precision.BF16, GROUP_COLUMNS);
    }

    private boolean areTablesKept() {
        return keptTables == tables;
    }

    boolean areMostProjectionsKept() {
        return 2 * keptProjections > projections;
    }

    /// What becomes of the values in an engine of these formats; empty if it keeps none.
    Optional<String> treatment(WeightFormats formats) {
        if (keptProjections == 0 || formats.groupColumns() != GROUP_COLUMNS) {
            return Optional.empty();
        }
        String which = keptProjections == projections ? "All projections"
                : keptProjections + " of " + projections + " projections";
        return Optional.of(which + " are kept exactly, in groups of " + GROUP_COLUMNS + " inputs"
                + (keptProjections == projections ? "."
                        : "; the others are widened exactly, then quantised to " + precision.id() + ".")
                + " Embedding and output head are "
                + (areTablesKept() ? "kept too." : "widened exactly, then rounded to bf16."));
    }
}
