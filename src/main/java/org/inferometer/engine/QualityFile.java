package org.inferometer.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// `quality.json` in an engine's folder: the newest judgement of its weights.
public final class QualityFile {
    public static final String FILE = "quality.json";
    private static final long MOST_BYTES = 64 << 10;
    private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES).build();

    private QualityFile() {}

    /// The quality of these weights; empty if it was not measured, or if other weights were judged.
    ///
    /// @throws EngineFormatException if the file is broken
    public static Optional<EngineQuality> read(Path folder, EngineDescriptor engine) throws EngineFormatException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new EngineFormatException(file, "It has more than 64 KiB.", "Measure the quality again.");
            }
            EngineQuality quality = JSON.readValue(Files.readAllBytes(file), EngineQuality.class);
            return quality != null && quality.weightsSha256().equals(engine.weightsSha256()) ? Optional.of(quality)
                    : Optional.empty();
        } catch (JacksonException e) {
            throw new EngineFormatException(file, "It is no quality file: " + OneLine.of(e.getOriginalMessage()) + ".",
                    "Measure the quality again.", e);
        } catch (IOException e) {
            throw new EngineFormatException(file, "Cannot be read (" + FileFault.reason(e) + ").",
                    "Check its permissions.", e);
        }
    }

    /// The file's content.
    public static byte[] bytes(EngineQuality quality) {
        return JSON.writeValueAsBytes(quality);
    }
}
