package org.inferometer.quantising;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.EngineCalibration;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.SideFile;
import org.inferometer.quantising.AwqQuantiser.Quantised;

/// What an engine with AWQ is built from.
///
/// @param mostTokens of the text that the model reads
/// @param threads that search
public record AwqBuild(CalibrationText text, int mostTokens, int threads) {
    /// Fewer tokens would say little of a feature's magnitude.
    public static final int LEAST_TOKENS = 64;
    private static final int WINDOW = 512;

    /// A material, and how it came about.
    public record Calibrated(EngineMaterial material, EngineCalibration calibration) {}

    /// Lets the model read the text and finds its scales; an interrupt stops it and leaves the thread interrupted.
    ///
    /// @param progress receives the fraction done, on the calling thread
    /// @throws EngineFormatException if the text is too short, a weight is not finite, or it was interrupted
    public Calibrated calibrate(Checkpoint checkpoint, EngineMaterial planned, DoubleConsumer progress)
            throws EngineFormatException {
        int[] all = checkpoint.tokens(text.text());
        if (all.length < LEAST_TOKENS) {
            throw new EngineFormatException(Path.of(text.name()),
                    "It has " + all.length + " tokens; at least " + LEAST_TOKENS + " are needed.",
                    "Give a longer text.");
        }
        int[] tokens = Arrays.copyOf(all, Math.min(all.length, mostTokens));
        int window = Math.min(WINDOW, planned.shape().maxPositions());
        try {
            Quantised quantised =
                    new AwqQuantiser(planned.shape(), planned.source(), threads).quantise(tokens, window, progress);
            EngineCalibration calibration =
                    new EngineCalibration("awq", text.name(), text.sha256(), tokens.length, window, quantised.parts());
            Map<String, byte[]> files = new TreeMap<>(planned.files());
            files.put(EngineCalibration.FILE.name(), SideFile.bytes(calibration));
            return new Calibrated(new EngineMaterial(planned.model(), planned.shape(), planned.formats(),
                    quantised.weights(), planned.text(), files), calibration);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EngineFormatException(Path.of(checkpoint.name()), "The calibration was interrupted.",
                    "Build the engine again.", interrupted);
        } catch (IllegalArgumentException wrong) {
            throw new EngineFormatException(Path.of(checkpoint.name()), wrong.getMessage() + ".", "Give other weights.",
                    wrong);
        }
    }
}
