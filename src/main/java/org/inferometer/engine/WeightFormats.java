package org.inferometer.engine;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The number formats of an engine's matrices.
///
/// @param projections of the layers; names the engine
/// @param tables of the embedding and the output head, which quantised checkpoints mostly leave in 16 bits
/// @param groupColumns inputs of a group with a scale: of INT4 one of [WeightMatrix.Int4#GROUPS], of INT8
///     [WeightMatrix.Int8#GROUP_COLUMNS]; without them [WeightMatrix.Fp8#GROUP_COLUMNS] for FP8 in groups, else 0
/// @param actOrder whether the INT4 projections of a layer have their inputs in orders that are stored beside them
public record WeightFormats(Precision projections, Precision tables, @JsonInclude(Include.NON_DEFAULT) int groupColumns,
        @JsonInclude(Include.NON_DEFAULT) boolean actOrder) {

    /// @throws IllegalArgumentException if groups have another width, a width without integers and FP8, if INT4 and INT8
    ///     meet, or if other projections than INT4 have orders
    public WeightFormats {
        if (!widths(projections, tables).contains(groupColumns)) {
            throw new IllegalArgumentException(
                    projections + " and " + tables + " in groups of " + groupColumns + " inputs");
        }
        if (actOrder && projections != Precision.INT4) {
            throw new IllegalArgumentException(projections + " with act-order");
        }
    }

    /// Without act-order.
    ///
    /// @throws IllegalArgumentException as above
    public WeightFormats(Precision projections, Precision tables, int groupColumns) {
        this(projections, tables, groupColumns, false);
    }

    /// As quantisers make it: INT4 in groups of [WeightMatrix.Int4#GROUP_COLUMNS], INT8 of [WeightMatrix.Int8#GROUP_COLUMNS], FP8
    /// with a scale for each output.
    ///
    /// @throws IllegalArgumentException if INT4 and INT8 meet
    public WeightFormats(Precision projections, Precision tables) {
        this(projections, tables, widths(projections, tables).stream().findFirst().orElse(0));
    }

    /// Widths of groups that these formats may have, that of the quantisers first; 0 for no groups. Empty for formats that
    /// no engine has together.
    static List<Integer> widths(Precision projections, Precision tables) {
        Set<Precision> both = EnumSet.of(projections, tables);
        if (both.contains(Precision.INT8)) {
            return both.contains(Precision.INT4) ? List.of() : List.of(WeightMatrix.Int8.GROUP_COLUMNS);
        }
        if (both.contains(Precision.INT4)) {
            return WeightMatrix.Int4.GROUPS;
        }
        return both.contains(Precision.FP8) ? List.of(0, WeightMatrix.Fp8.GROUP_COLUMNS) : List.of(0);
    }

    /// Inputs of a group of matrices of this precision; 0 for no groups.
    public int groupColumns(Precision precision) {
        return switch (precision) {
            case BF16 -> 0;
            case FP8 -> hasIntegers() ? 0 : groupColumns;
            case INT8, INT4 -> groupColumns;
        };
    }

    private boolean hasIntegers() {
        return projections.isInteger() || tables.isInteger();
    }

    /// One format for all matrices.
    public static WeightFormats all(Precision precision) {
        return new WeightFormats(precision, precision);
    }

    /// The same with act-order.
    ///
    /// @throws IllegalArgumentException if the projections are not INT4
    public WeightFormats withActOrder() {
        return new WeightFormats(projections, tables, groupColumns, true);
    }

    /// The format of a matrix.
    Precision of(WeightSpec.WeightRole role) {
        return switch (role) {
            case EMBEDDING, HEAD -> tables;
            case PROJECTION, RESIDUAL_PROJECTION -> projections;
            case POSITIONS, NORM_WEIGHT, NORM_BIAS, PROJECTION_BIAS, INPUT_ORDER ->
                throw new IllegalArgumentException(role + " is no matrix");
        };
    }

    /// Whether all matrices have one format.
    public boolean areEqual() {
        return projections == tables;
    }
}
