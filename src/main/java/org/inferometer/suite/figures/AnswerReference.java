package org.inferometer.suite.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.inferometer.units.OneLine;
import org.inferometer.workload.trace.BoundedLines;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Answers that a model is expected to give: JSON lines `{"prompt": "...", "answer": "...", "output_tokens": 64}`.
///
/// @param answers by prompt, in the order of the file
public record AnswerReference(Map<String, String> answers) {
    /// Ends the name of a test's reference file: "a.yaml" has "a.reference.jsonl" beside it.
    public static final String ENDING = ".reference.jsonl";

    private static final int MOST_CHARACTERS = 1 << 20;
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_LINES = 100_000;

    /// The reference file of a test's configuration, which may not exist.
    public static Path of(Path configuration) {
        return configuration
                .resolveSibling(String.valueOf(configuration.getFileName()).replaceFirst("\\.ya?ml$", "") + ENDING);
    }

    /// Reads a file. Empty lines are skipped.
    ///
    /// @throws IOException with file, line, fault and remedy
    public static AnswerReference read(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + ": The file is larger than " + (MOST_BYTES >> 20) + " MiB. Split it.");
        }
        JsonMapper json = JsonMapper.builder().build();
        Map<String, String> answers = new LinkedHashMap<>();
        try (BoundedLines lines = new BoundedLines(file, MOST_CHARACTERS)) {
            for (String text = lines.next(); text != null; text = lines.next()) {
                if (text.isBlank()) {
                    continue;
                }
                if (answers.size() == MOST_LINES) {
                    throw lines.fault("The file has more than " + MOST_LINES + " prompts. Split it.");
                }
                JsonNode node = parsed(json, text, lines);
                String prompt = text(node, "prompt", lines);
                if (answers.putIfAbsent(prompt, text(node, "answer", lines)) != null) {
                    throw lines.fault("The prompt stands twice. Remove one line.");
                }
            }
        }
        if (answers.isEmpty()) {
            throw new IOException(file + ": The file has no prompt. Write {\"prompt\": \"...\", \"answer\": \"...\"}.");
        }
        return new AnswerReference(answers);
    }

    private static JsonNode parsed(JsonMapper json, String text, BoundedLines lines) throws IOException {
        try {
            return json.readTree(text);
        } catch (JacksonException e) {
            throw lines.fault("Not valid JSON (" + OneLine.of(e) + ").", e);
        }
    }

    private static String text(JsonNode node, String key, BoundedLines lines) throws IOException {
        JsonNode value = node.get(key);
        if (value == null || !value.isString() || value.stringValue().isEmpty()) {
            throw lines.fault("There is no \"" + key + "\" text. Write {\"prompt\": \"...\", \"answer\": \"...\"}.");
        }
        return value.stringValue();
    }
}
