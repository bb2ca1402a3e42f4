package org.inferometer.engine.files;

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

/// A JSON file of one record beside an engine's weights.
///
/// @param name of the file
/// @param kind of record it holds, for messages
/// @param remedy what to do about a broken one
public record SideFile<T>(String name, Class<T> type, String kind, long mostKib, String remedy) {
    private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES).build();

    /// The record in an engine's folder; empty without the file.
    ///
    /// @throws EngineFormatException if the file is broken
    public Optional<T> read(Path folder) throws EngineFormatException {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            if (Files.size(file) > mostKib << 10) {
                throw new EngineFormatException(file, "It has more than " + mostKib + " KiB.", remedy);
            }
            return Optional.ofNullable(JSON.readValue(Files.readAllBytes(file), type));
        } catch (JacksonException e) {
            throw new EngineFormatException(file, "It is no " + kind + ": " + OneLine.of(e) + ".", remedy, e);
        } catch (IOException e) {
            throw new EngineFormatException(file, "Cannot be read (" + FileFault.reason(e) + ").",
                    "Check its permissions.", e);
        }
    }

    /// The file's content.
    public static byte[] bytes(Object held) {
        return JSON.writeValueAsBytes(held);
    }
}
