package org.inferometer.engine;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;

/// The number formats of an engine's matrices.
///
/// @param projections of the layers; names the engine
/// @param tables of the embedding and the output head, which quantised checkpoints mostly leave in 16 bits
/// @param groupColumns inputs of an INT4 group, one of [WeightMatrix.Int4#GROUPS]; 0 without INT4
public record WeightFormats(Precision projections, Precision tables,
        @JsonInclude(Include.NON_DEFAULT) int groupColumns) {

    /// @throws IllegalArgumentException if groups have another width, or a width without INT4
    public WeightFormats {
        boolean int4 = projections == Precision.INT4 || tables == Precision.INT4;
        if (int4 ? !WeightMatrix.Int4.GROUPS.contains(groupColumns) : groupColumns != 0) {
            throw new IllegalArgumentException(
                    projections + " and " + tables + " in groups of " + groupColumns + " inputs");
        }
    }

    /// INT4 in groups of [WeightMatrix.Int4#GROUP_COLUMNS], as quantisers make it.
    public WeightFormats(Precision projections, Precision tables) {
        this(projections, tables,
                projections == Precision.INT4 || tables == Precision.INT4 ? WeightMatrix.Int4.GROUP_COLUMNS : 0);
    }

    /// One format for all matrices.
    public static WeightFormats all(Precision precision) {
        return new WeightFormats(precision, precision);
    }

    /// The format of a matrix.
    Precision of(WeightSpec.WeightRole role) {
        return switch (role) {
            case EMBEDDING, HEAD -> tables;
            case PROJECTION, RESIDUAL_PROJECTION -> projections;
            case POSITIONS, NORM_WEIGHT, NORM_BIAS, PROJECTION_BIAS ->
                throw new IllegalArgumentException(role + " is FP32");
        };
    }

    /// Whether all matrices have one format.
    public boolean areEqual() {
        return projections == tables;
    }
}
