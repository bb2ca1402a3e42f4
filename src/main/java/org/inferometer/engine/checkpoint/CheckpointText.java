package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineText;
import org.inferometer.engine.Sha256;
import org.inferometer.engine.tokenizer.DrawnIds;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.units.FileFault;
import tools.jackson.databind.JsonNode;

/// How the tokens of a checkpoint become text: `tokenizer.json`, and the ends that `generation_config.json` or `config.json` name.
///
/// @param tokenizer empty if the checkpoint has no `tokenizer.json`
record CheckpointText(EngineText text, Optional<Path> tokenizer) {
    private static final String GENERATION = "generation_config.json";
    private static final String ENDS = "eos_token_id";
    private static final int MOST_ENDS = 64;

    /// Reads and checks the text of a checkpoint.
    ///
    /// @throws EngineFormatException if the tokenizer is broken, or has tokens that the model lacks
    static CheckpointText read(Path folder, int vocabulary) throws EngineFormatException {
        List<Integer> ends = ends(folder, vocabulary);
        Optional<Path> file = CheckpointFolder.file(folder, TrainedTokenizer.FILE);
        if (file.isEmpty()) {
            return new CheckpointText(new EngineText(DrawnIds.NAME, "", ends), file);
        }
        int tokens = TokenizerIds.count(file.get());
        if (tokens > vocabulary) {
            throw new EngineFormatException(file.get(),
                    "It has " + tokens + " tokens, the model has " + vocabulary + ": it belongs to another model.",
                    "Copy the checkpoint again, or remove the file.");
        }
        try (TrainedTokenizer tokenizer = new TrainedTokenizer(file.get(), vocabulary)) {
            tokenizer.load();
        }
        return new CheckpointText(new EngineText(TrainedTokenizer.NAME, hash(file.get()), ends), file);
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

    private static String hash(Path file) throws EngineFormatException {
        MessageDigest digest = Sha256.digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new EngineFormatException(file, "It cannot be read (" + FileFault.reason(e) + ").",
                    "Check the disk and the file's permissions.", e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
