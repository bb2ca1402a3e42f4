package org.inferometer.run.worker;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.MeasuredQuality.TokenMean;

/// What is known of an engine's quality, for records.
final class KnownQuality {
    private KnownQuality() {}

    /// Empty if it was not judged, other weights were, or the file is broken, which is no reason to fail a run.
    static Optional<MeasuredQuality> of(Path folder, EngineDescriptor engine) {
        try {
            return EngineQuality.read(folder, engine).map(KnownQuality::recorded);
        } catch (EngineFormatException e) {
            System.getLogger(KnownQuality.class.getName()).log(System.Logger.Level.WARNING,
                    "The quality is not recorded", e);
            return Optional.empty();
        }
    }

    private static MeasuredQuality recorded(EngineQuality quality) {
        EngineQuality.Reading text = quality.text();
        return new MeasuredQuality(quality.reference(), text.name(), text.sha256(), quality.tokens(), text.window(),
                text.stride(), quality.perplexity(), mean(quality.logLikelihoodLoss()), mean(quality.divergence()),
                mean(quality.topAgreement()));
    }

    private static TokenMean mean(EngineQuality.Mean mean) {
        return new TokenMean(mean.mean(), mean.halfWidth());
    }
}
