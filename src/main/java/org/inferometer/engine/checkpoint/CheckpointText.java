package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.Sha256;
import org.inferometer.engine.files.SideFile;
import org.inferometer.engine.tokenizer.Tokenizer.DrawnIds;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.units.FileFault;
import tools.jackson.databind.JsonNode;

/// How the tokens of a checkpoint become text: `tokenizer.json`, and the ends that `generation_config.json` or `config.json` name.
///
/// @param tokenizer the content of `tokenizer.json`; empty if the checkpoint has none
/// @param lack why there is no tokenizer, a sentence; empty if there is one
/// @param chat how it wants conversations written; empty if it does not tell
record CheckpointText(EngineText text, Optional<byte[]> tokenizer, String lack, Optional<ChatFormat> chat) {
    private static final String GENERATION = "generation_config.json";
    private static final String ENDS = "eos_token_id";
    private static final String REMEDY = "Copy the checkpoint again, or remove the file.";
    private static final int MOST_ENDS = 64;

    /// Reads and checks the text of a checkpoint.
    ///
    /// @throws EngineFormatException if the tokenizer is broken, or has tokens that the model lacks
    static CheckpointText read(Path folder, int vocabulary) throws EngineFormatException {
        List<Integer> ends = ends(folder, vocabulary);
        Optional<ChatFormat> chat = CheckpointChat.read(folder);
        Optional<Path> file = CheckpointFolder.file(folder, TrainedTokenizer.FILE);
        if (file.isEmpty()) {
            return without("It has no " + TrainedTokenizer.FILE + ".", ends, chat);
        }
        try {
            if (Files.size(file.get()) > TrainedTokenizer.MOST_BYTES) {
                throw new EngineFormatException(file.get(),
                        "It has more than " + (TrainedTokenizer.MOST_BYTES >> 20) + " MiB.", REMEDY);
            }
            return of(Files.readAllBytes(file.get()), ends, chat, file.get(), vocabulary);
        } catch (IOException e) {
            throw new EngineFormatException(file.get(), "It cannot be read (" + FileFault.reason(e) + ").",
                    "Check the disk and the file's permissions.", e);
        }
    }

    /// A text with a tokenizer that the library reads.
    ///
    /// @param origin where it comes from, for messages
    static CheckpointText of(byte[] json, List<Integer> ends, Optional<ChatFormat> chat, Path origin, int vocabulary)
            throws EngineFormatException {
        int tokens = TokenizerIds.count(json, origin);
        if (tokens > vocabulary) {
            throw new EngineFormatException(origin,
                    "It has " + tokens + " tokens, the model has " + vocabulary + ": it belongs to another model.",
                    REMEDY);
        }
        TrainedTokenizer.check(json, origin);
        String sha256 = HexFormat.of().formatHex(Sha256.digest().digest(json));
        return new CheckpointText(new EngineText(TrainedTokenizer.NAME, sha256, ends), Optional.of(json), "", chat);
    }

    /// No tokenizer.
    ///
    /// @param lack why, a sentence
    static CheckpointText without(String lack, List<Integer> ends, Optional<ChatFormat> chat) {
        return new CheckpointText(new EngineText(DrawnIds.NAME, "", ends), Optional.empty(), lack, chat);
    }

    /// The files that an engine of it gets, by name.
    Map<String, byte[]> files() {
        Map<String, byte[]> files = new TreeMap<>();
        tokenizer.ifPresent(json -> files.put(TrainedTokenizer.FILE, json));
        chat.ifPresent(format -> files.put(ChatFormat.FILE.name(), SideFile.bytes(format)));
        return files;
    }

    private static List<Integer> ends(Path folder, int vocabulary) throws EngineFormatException {
        Optional<Path> generation = CheckpointFolder.file(folder, GENERATION);
        if (generation.isPresent()) {
            JsonNode named = ConfigFields.object(generation.get()).path(ENDS);
            if (!named.isMissingNode() && !named.isNull()) {
                return ends(generation.get(), named, vocabulary);
            }
        }
        Path config = folder.resolve(CheckpointConfig.FILE);
        JsonNode root = ConfigFields.object(config);
        JsonNode named = root.has(ENDS) ? root.path(ENDS) : root.path("text_config").path(ENDS);
        return named.isMissingNode() || named.isNull() ? List.of() : ends(config, named, vocabulary);
    }

    private static List<Integer> ends(Path file, JsonNode named, int vocabulary) throws EngineFormatException {
        TreeSet<Integer> ends = new TreeSet<>();
        List<JsonNode> ids = new ArrayList<>();
        if (named.isArray()) {
            named.forEach(ids::add);
        } else {
            ids.add(named);
        }
        for (JsonNode id : ids) {
            if (!id.isIntegralNumber() || !id.canConvertToInt() || id.intValue() < 0 || id.intValue() >= vocabulary
                    || ids.size() > MOST_ENDS) {
                throw new EngineFormatException(file, "\"" + ENDS + "\" must be a token from 0 to " + (vocabulary - 1)
                        + ", or a list of at most " + MOST_ENDS + ".", "Correct it.");
            }
            ends.add(id.intValue());
        }
        return List.copyOf(ends);
    }
}
