package org.inferometer.quantising;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.LetterCase;

/// What a checkpoint is built into: a precision, and how its weights are rounded to it.
public enum EngineKind {
    /// As [Precision#BF16].
    BF16("BF16", Precision.BF16),
    /// To the nearest value, as [Precision#FP8].
    FP8("FP8", Precision.FP8),
    /// To the nearest value, as [Precision#INT8].
    INT8("INT8", Precision.INT8),
    /// To the nearest value, as [Precision#INT4].
    INT4("INT4", Precision.INT4),
    /// As [Precision#INT4] with scales that a text helped to choose; see [AwqQuantiser].
    INT4_AWQ("INT4 with AWQ", Precision.INT4);

    private final String label;
    private final Precision precision;

    EngineKind(String label, Precision precision) {
        this.label = label;
        this.precision = precision;
    }

    /// The kinds' names on the command line.
    public static List<String> ids() {
        return Arrays.stream(values()).map(EngineKind::id).toList();
    }

    /// The kind of that name, in any case, with a hyphen or an underscore.
    public static Optional<EngineKind> named(String word) {
        String id = LetterCase.lower(word.strip()).replace('_', '-');
        return Arrays.stream(values()).filter(kind -> kind.id().equals(id)).findFirst();
    }

    /// The kind that keeps a checkpoint's values.
    public static EngineKind own(Checkpoint checkpoint) {
        return switch (checkpoint.ownPrecision()) {
            case BF16 -> BF16;
            case FP8 -> FP8;
            case INT8 -> INT8;
            case INT4 -> INT4;
        };
    }

    /// The end of an engine's name: "int4-awq".
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// For people: "INT4 with AWQ".
    public String label() {
        return label;
    }

    /// Whether a text is read first to find the scales.
    public boolean isCalibrated() {
        return this == INT4_AWQ;
    }

    /// Inputs of a group that one may choose for values which are quantised now; empty for none.
    public List<Integer> groupSizes() {
        return switch (this) {
            case INT4 -> WeightMatrix.Int4.GROUPS;
            case FP8 -> List.of(WeightMatrix.Fp8.GROUP_COLUMNS);
            case BF16, INT8, INT4_AWQ -> List.of();
        };
    }

    /// As [#material(Checkpoint, String)], in groups of a chosen number of inputs.
    ///
    /// @param groupSize one of [#groupSizes]
    /// @throws EngineFormatException also if the checkpoint has its values in groups of its own
    public EngineMaterial material(Checkpoint checkpoint, String model, int groupSize) throws EngineFormatException {
        EngineMaterial own = material(checkpoint, model);
        if (own(checkpoint) == this || !own.formats().equals(WeightFormats.all(precision))) {
            throw new EngineFormatException(Path.of(checkpoint.name()),
                    "Its values are kept in " + label + " as they are, so their groups cannot be chosen.",
                    "Leave --group-size out.");
        }
        return new EngineMaterial(model, own.shape(), new WeightFormats(precision, precision, groupSize), own.source(),
                own.text(), own.files());
    }

    /// What an engine is built from; a calibrated one lacks its scales, which [AwqBuild#calibrate] finds.
    ///
    /// @param model name that the engine keeps
    /// @throws EngineFormatException if this kind cannot be made of the checkpoint
    public EngineMaterial material(Checkpoint checkpoint, String model) throws EngineFormatException {
        EngineMaterial plain = checkpoint.material(model, precision);
        if (!isCalibrated()) {
            return plain;
        }
        if (own(checkpoint) != BF16 && !checkpoint.isGguf()) {
            throw new EngineFormatException(Path.of(checkpoint.name()),
                    "It is quantised already, so " + id() + " cannot be made of it.",
                    "Give the checkpoint that it was made from.");
        }
        return new EngineMaterial(model, plain.shape(), AwqQuantiser.FORMATS, plain.source(), plain.text(),
                plain.files());
    }
}
