package org.inferometer.engine.checkpoint;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.gguf.GgufFile;
import org.inferometer.engine.gguf.GgufMetadata;

/// How the tokens of a GGUF file become text.
final class GgufText {
    private GgufText() {}

    /// @throws EngineFormatException if the tokenizer has more tokens than the model
    static CheckpointText read(GgufFile file, int vocabulary) throws EngineFormatException {
        GgufMetadata values = file.metadata();
        int tokens = GgufTokenizer.count(values);
        if (tokens > vocabulary) {
            throw new EngineFormatException(file.path(),
                    "Its tokenizer has " + tokens + " tokens, the model has " + vocabulary + ".",
                    "Copy the file again.");
        }
        List<Integer> ends =
                Stream.of("eos", "eot", "eom").map(kind -> values.whole("tokenizer.ggml." + kind + "_token_id"))
                        .filter(id -> id.isPresent()).map(id -> id.getAsLong()).filter(id -> id >= 0 && id < vocabulary)
                        .map(Long::intValue).distinct().sorted().toList();
        Optional<byte[]> json = GgufTokenizer.json(file);
        Optional<ChatFormat> chat = chat(values, file);
        return json.isPresent() ? CheckpointText.of(json.get(), ends, chat, file.path(), vocabulary)
                : CheckpointText.without(lack(values), ends, chat);
    }

    private static String lack(GgufMetadata values) {
        String names = Stream.of("model", "pre").flatMap(part -> values.text("tokenizer.ggml." + part).stream())
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "It has no tokenizer."
                : "Its tokenizer (" + names + ") is none of those that are read.";
    }

    private static Optional<ChatFormat> chat(GgufMetadata values, GgufFile file) throws EngineFormatException {
        Optional<String> template = values.text("tokenizer.chat_template");
        if (template.isPresent() && template.get().length() > ChatFormat.MOST_CHARACTERS) {
            throw new EngineFormatException(file.path(),
                    "Its chat template has more than " + ChatFormat.MOST_CHARACTERS + " characters.",
                    "Make the file again.");
        }
        List<String> tokens = values.texts("tokenizer.ggml.tokens");
        return template.map(text -> new ChatFormat(text, token(values, tokens, "bos"), token(values, tokens, "eos")));
    }

    private static String token(GgufMetadata values, List<String> tokens, String kind) {
        long id = values.whole("tokenizer.ggml." + kind + "_token_id").orElse(-1);
        return id >= 0 && id < tokens.size() ? tokens.get((int) id) : "";
    }
}
