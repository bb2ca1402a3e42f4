package org.inferometer.engine.checkpoint;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineText;
import org.inferometer.engine.gguf.GgufFile;
import org.inferometer.engine.gguf.GgufMetadata;
import org.inferometer.engine.tokenizer.DrawnIds;

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
        Optional<byte[]> json = GgufTokenizer.json(values);
        return json.isPresent() ? CheckpointText.of(json.get(), ends, file.path(), vocabulary)
                : new CheckpointText(new EngineText(DrawnIds.NAME, "", ends), json);
    }
}
