package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.FileFault;
import tools.jackson.databind.JsonNode;

/// The chat format of a checkpoint's folder: `chat_template.jinja`, or the `chat_template` of `tokenizer_config.json`.
final class CheckpointChat {
    private static final String TEMPLATE = "chat_template.jinja";
    private static final String CONFIG = "tokenizer_config.json";
    private static final String FIELD = "chat_template";
    private static final String REMEDY = "Correct it, or remove it.";

    private CheckpointChat() {}

    /// Reads it; empty if the checkpoint has none.
    ///
    /// @throws EngineFormatException if a file is broken
    static Optional<ChatFormat> read(Path folder) throws EngineFormatException {
        Optional<Path> file = CheckpointFolder.file(folder, CONFIG);
        Optional<JsonNode> config = file.isPresent() ? Optional.of(ConfigFields.object(file.get())) : Optional.empty();
        Optional<Path> own = CheckpointFolder.file(folder, TEMPLATE);
        Optional<String> template = own.isPresent() ? Optional.of(text(own.get()))
                : config.isPresent() ? template(file.get(), config.get().path(FIELD))
                : Optional.empty();
        return template.map(text -> new ChatFormat(text, config.map(root -> token(root, "bos_token")).orElse(""),
                config.map(root -> token(root, "eos_token")).orElse("")));
    }

    private static String text(Path file) throws EngineFormatException {
        try {
            if (Files.size(file) > ChatFormat.MOST_CHARACTERS) {
                throw tooLong(file);
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new EngineFormatException(file, "It is no UTF-8 text.", REMEDY, e);
        } catch (IOException e) {
            throw new EngineFormatException(file, "It cannot be read (" + FileFault.reason(e) + ").",
                    "Check the disk and the file's permissions.", e);
        }
    }

    private static EngineFormatException tooLong(Path file) {
        return new EngineFormatException(file,
                "The chat template has more than " + ChatFormat.MOST_CHARACTERS + " characters.", REMEDY);
    }

    /// A text, or of several the one named "default".
    private static Optional<String> template(Path file, JsonNode field) throws EngineFormatException {
        JsonNode text = field;
        if (field.isArray()) {
            for (JsonNode named : field) {
                if (named.path("name").asString("").equals("default")) {
                    text = named.path("template");
                }
            }
        }
        if (!text.isString()) {
            return Optional.empty();
        }
        if (text.stringValue().length() > ChatFormat.MOST_CHARACTERS) {
            throw tooLong(file);
        }
        return Optional.of(text.stringValue());
    }

    /// The text of a special token, which is a text or an object with one.
    private static String token(JsonNode config, String name) {
        JsonNode token = config.path(name);
        return token.isObject() ? token.path("content").asString("") : token.asString("");
    }
}
