package org.inferometer.ui.engines;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.prompting.ChatPrompt;
import org.inferometer.quantising.AwqBuild;
import org.inferometer.quantising.EngineKind;
import org.inferometer.ui.engines.CalibrationDialog.CalibrationChoice;

/// The engines that the window builds of a checkpoint, one for each kind.
///
/// @param checkpoint its folder or file
/// @param folder engines of the workspace
/// @param calibration for the kinds that need one
/// @param now the date that chat templates may print
record CheckpointEngines(Path checkpoint, Path folder, Set<EngineKind> kinds, CalibrationChoice calibration,
        LocalDateTime now) {
    private static final double CALIBRATION_SHARE = 0.9;

    /// What was built.
    ///
    /// @param notes a sentence for each engine whose values changed
    /// @param templateFault why the checkpoint's chat template cannot be used; empty if it can, and without one
    record Built(List<String> names, List<String> notes, Optional<String> templateFault) {}

    /// Name of the model, from that of its folder or file.
    String model() {
        String name = String.valueOf(checkpoint.toAbsolutePath().normalize().getFileName())
                .replaceFirst("(?i)(-00001-of-\\d{5})?\\.gguf$", "").replaceAll("[^A-Za-z0-9._-]+", "-")
                .replaceFirst("^[^A-Za-z0-9]+", "");
        return name.isEmpty() ? "model" : name;
    }

    /// Builds them in turn; an interrupt stops it, and what is complete stays.
    ///
    /// @param fraction receives the share done, on the calling thread
    /// @throws EngineFormatException if the checkpoint cannot be read or the engine not written
    Built build(DoubleConsumer fraction) throws EngineFormatException {
        List<String> names = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        Optional<String> templateFault;
        try (Checkpoint opened = Checkpoint.open(checkpoint)) {
            for (EngineKind kind : kinds) {
                int done = names.size();
                DoubleConsumer share = part -> fraction.accept((done + part) / kinds.size());
                String name = Checkpoint.engineName(model(), kind.id(), kinds.size() == 1);
                EngineMaterial material = kind.material(opened, model());
                opened.treatment(material.formats()).ifPresent(notes::add);
                if (kind.isCalibrated()) {
                    AwqBuild.Calibrated calibrated = calibrated(opened, material, share);
                    notes.add(calibrated.calibration().sentence());
                    new EngineBuilder(notes::add).build(folder.resolve(name), calibrated.material(),
                            part -> share.accept(CALIBRATION_SHARE + (1 - CALIBRATION_SHARE) * part));
                } else {
                    new EngineBuilder(notes::add).build(folder.resolve(name), material, share);
                }
                names.add(name);
            }
            opened.textFault().ifPresent(notes::add);
            templateFault = opened.chat().flatMap(chat -> ChatPrompt.fault(chat, now));
        }
        return new Built(names, notes, templateFault);
    }

    private AwqBuild.Calibrated calibrated(Checkpoint opened, EngineMaterial material, DoubleConsumer share)
            throws EngineFormatException {
        AwqBuild build =
                new AwqBuild(calibration.text(), calibration.mostTokens(), Runtime.getRuntime().availableProcessors());
        return build.calibrate(opened, material, part -> share.accept(CALIBRATION_SHARE * part));
    }
}
