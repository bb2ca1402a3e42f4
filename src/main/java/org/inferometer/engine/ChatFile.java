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

/// `chat.json` in an engine's folder: how its model wants a conversation written.
public final class ChatFile {
    public static final String FILE = "chat.json";
    private static final long MOST_BYTES = 8L * ChatFormat.MOST_CHARACTERS;
    private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES).build();

    private ChatFile() {}

    /// The chat format of an engine; empty if its checkpoint had none.
    ///
    /// @throws EngineFormatException if the file is broken
    public static Optional<ChatFormat> read(Path folder) throws EngineFormatException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new EngineFormatException(file, "It has more than " + (MOST_BYTES >> 20) + " MiB.",
                        "Build the engine again.");
            }
            return Optional.ofNullable(JSON.readValue(Files.readAllBytes(file), ChatFormat.class));
        } catch (JacksonException e) {
            throw new EngineFormatException(file, "It is no chat format: " + OneLine.of(e.getOriginalMessage()) + ".",
                    "Build the engine again.", e);
        } catch (IOException e) {
            throw new EngineFormatException(file, "Cannot be read (" + FileFault.reason(e) + ").",
                    "Check its permissions.", e);
        }
    }

    /// The file's content.
    public static byte[] bytes(ChatFormat format) {
        return JSON.writeValueAsBytes(format);
    }
}
