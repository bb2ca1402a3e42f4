package org.inferometer.cli.engines;

import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.inferometer.cli.UsageException;
import org.inferometer.cli.engines.CheckpointBuild.Planned;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.quantising.AwqBuild;
import org.inferometer.quantising.CalibrationText;
import org.jspecify.annotations.Nullable;

/// The calibration that a command asks for.
record Calibrator(AwqBuild build) {
    private static final int MOST_TOKENS = 1 << 20;

    /// @param file absent for the bundled text
    /// @throws UsageException if an option is wrong, or serves no engine
    static Calibrator of(@Nullable Path file, int tokens, List<Planned> planned) throws UsageException {
        if (file != null && planned.stream().noneMatch(each -> each.kind().isCalibrated())) {
            throw new UsageException("--calibration serves int4-awq only. Add --precision int4-awq.");
        }
        if (tokens < AwqBuild.LEAST_TOKENS || tokens > MOST_TOKENS) {
            throw new UsageException("--calibration-tokens " + tokens + ": give a number from " + AwqBuild.LEAST_TOKENS
                    + " to " + MOST_TOKENS + ".");
        }
        CalibrationText text = file == null ? CalibrationText.bundled() : text(file);
        return new Calibrator(new AwqBuild(text, tokens, Runtime.getRuntime().availableProcessors()));
    }

    private static CalibrationText text(Path file) throws UsageException {
        try {
            return CalibrationText.read(file);
        } catch (EngineFormatException bad) {
            throw new UsageException("--calibration " + bad.getMessage());
        }
    }

    AwqBuild.Calibrated calibrate(Checkpoint checkpoint, EngineMaterial planned, DoubleConsumer progress)
            throws EngineFormatException {
        return build.calibrate(checkpoint, planned, progress);
    }
}
