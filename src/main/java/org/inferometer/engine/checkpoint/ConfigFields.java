package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The fields of a `config.json`; wrong ones are collected, so that all are told at once.
final class ConfigFields {
    private static final long LARGEST = 16 << 20;
    /// What the library says of the place of a fault, beside its line.
    private static final Pattern PLACE = Pattern.compile(" ?\\((start marker|\\d+, from)");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JsonNode node;
    private final List<String> faults;

    private ConfigFields(JsonNode node, List<String> faults) {
        this.node = node;
        this.faults = faults;
    }

    /// Reads a file of at most 16 MiB.
    ///
    /// @throws EngineFormatException if it is missing or no JSON object
    static ConfigFields read(Path file) throws EngineFormatException {
        return new ConfigFields(object(file), new ArrayList<>());
    }

    /// The object of a JSON file.
    static JsonNode object(Path file) throws EngineFormatException {
        String remedy = String.valueOf(file.getFileName()).equals(CheckpointConfig.FILE)
                ? "Give the folder of a Hugging Face checkpoint: config.json beside *.safetensors."
                : "Copy the checkpoint again, or correct the file.";
        try {
            if (!Files.isRegularFile(file)) {
                throw new EngineFormatException(file, "The file is missing.", remedy);
            }
            if (Files.size(file) > LARGEST) {
                throw new EngineFormatException(file, "It has more than 16 MiB.", remedy);
            }
            JsonNode root = JSON.readTree(Files.readAllBytes(file));
            if (!root.isObject()) {
                throw new EngineFormatException(file, "It is no JSON object.", remedy);
            }
            return root;
        } catch (JacksonException e) {
            throw new EngineFormatException(file,
                    "It is no JSON: " + OneLine.of(PLACE.split(e.getOriginalMessage(), 2)[0]) + ".", remedy, e);
        } catch (IOException e) {
            throw new EngineFormatException(file, "It cannot be read (" + FileFault.reason(e) + ").",
                    "Check the disk and the file's permissions.", e);
        }
    }

    /// The fields of an object within; empty if there is none.
    Optional<ConfigFields> group(String key) {
        JsonNode inner = node.path(key);
        return inner.isObject() ? Optional.of(new ConfigFields(inner, faults)) : Optional.empty();
    }

    boolean has(String key) {
        return !node.path(key).isMissingNode() && !node.path(key).isNull();
    }

    /// A text; empty if there is none.
    Optional<String> text(String key) {
        return node.path(key).isString() ? Optional.of(OneLine.of(node.path(key).stringValue())) : Optional.empty();
    }

    /// A count from 1 to a limit.
    int count(String key, int most) {
        if (!has(key)) {
            faults.add("\"" + key + "\" is missing.");
            return 1;
        }
        return count(key, most, 1);
    }

    /// A count from 1 to a limit, or another where the key is absent.
    int count(String key, int most, int otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        JsonNode value = node.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1 || value.intValue() > most) {
            faults.add("\"" + key + "\" is no count from 1 to " + most + ": " + OneLine.of(value.toString()) + ".");
            return 1;
        }
        return value.intValue();
    }

    /// A count from 0 to a limit, or another where the key is absent.
    int countOrZero(String key, int most, int otherwise) {
        return has(key) && node.path(key).isIntegralNumber() && node.path(key).asString().equals("0") ? 0
                : count(key, most, otherwise);
    }

    /// The texts of a list; empty if there is none, or it has other elements.
    List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        for (JsonNode each : node.path(key)) {
            if (!each.isString()) {
                faults.add("\"" + key + "\" is no list of texts.");
                return List.of();
            }
            texts.add(OneLine.of(each.stringValue()));
        }
        return texts;
    }

    /// A positive number, or another where the key is absent.
    double positive(String key, double otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        JsonNode value = node.path(key);
        double number = value.isNumber() ? value.doubleValue() : Double.NaN;
        if (!(number > 0) || Double.isInfinite(number)) {
            faults.add("\"" + key + "\" is no positive number: " + OneLine.of(value.toString()) + ".");
            return 1;
        }
        return number;
    }

    /// A flag, or another where the key is absent.
    boolean flag(String key, boolean otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        if (!node.path(key).isBoolean()) {
            faults.add("\"" + key + "\" is neither true nor false.");
            return otherwise;
        }
        return node.path(key).booleanValue();
    }

    void fault(String sentence) {
        faults.add(sentence);
    }

    /// All faults so far, in the order of the fields.
    List<String> faults() {
        return List.copyOf(faults);
    }
}
