package org.inferometer.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.OneLine;
import org.inferometer.workload.trace.BoundedLines;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads prompts from a file: one per line, or JSON lines `{"prompt": "...", "output_tokens": 64}`, also with the names of other tools.
/// Empty lines are skipped.
///
/// The file is UTF-8, packed with gzip or not, with or without a byte-order mark; the length and number of lines are bounded.
public final class PromptFile {
    private static final int MAX_LINE_CHARACTERS = 1 << 20;
    private static final int MAX_PROMPTS = 1_000_000;
    private static final int MAX_OUTPUT_TOKENS = 1 << 20;
    private static final List<String> PROMPT_KEYS = List.of("prompt", "text_input", "text");
    private static final List<String> LENGTH_KEYS = List.of("output_tokens", "output_length", "max_tokens");
    private static final Pattern JSON_ARRAY = Pattern.compile("\\s*\\[\\s*(\\{.*)?");

    private final JsonMapper json = JsonMapper.builder().build();

    /// One prompt and the length of its answer if the file gives it.
    public record Prompt(String text, OptionalInt outputTokens) {}

    /// All prompts of the file, in order; at least one.
    ///
    /// @throws IOException with file, line, fault and remedy
    public List<Prompt> read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(
                    file + ": There is no such file. Give the path of a text file with one prompt per line.");
        }
        try {
            return readAll(file);
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(file);
        }
    }

    private List<Prompt> readAll(Path file) throws IOException {
        List<Prompt> prompts = new ArrayList<>();
        try (BoundedLines lines = new BoundedLines(file, MAX_LINE_CHARACTERS)) {
            for (String text = lines.next(); text != null; text = lines.next()) {
                if (prompts.isEmpty() && JSON_ARRAY.matcher(text).matches()) {
                    throw lines.fault(
                            "A JSON array is not a list of prompts by line. Conversations are read with trace:FILE.");
                }
                if (!text.isBlank()) {
                    if (prompts.size() == MAX_PROMPTS) {
                        throw lines.fault("The file has more than " + MAX_PROMPTS + " prompts. Split it.");
                    }
                    prompts.add(text.startsWith("{") ? fromJson(text, lines) : new Prompt(text, OptionalInt.empty()));
                }
            }
        }
        if (prompts.isEmpty()) {
            throw new IOException(file + ": The file has no prompt. Write one prompt per line.");
        }
        return prompts;
    }

    private Prompt fromJson(String line, BoundedLines lines) throws IOException {
        try {
            JsonNode node = json.readTree(line);
            JsonNode prompt = first(node, PROMPT_KEYS);
            if (prompt == null || !prompt.isString() || prompt.stringValue().isEmpty()) {
                throw lines.fault(
                        "There is no \"prompt\" text. Write {\"prompt\": \"...\"}; read conversations with trace:FILE.");
            }
            JsonNode length = first(node, LENGTH_KEYS);
            if (length == null) {
                return new Prompt(prompt.stringValue(), OptionalInt.empty());
            }
            if (!length.isIntegralNumber() || !length.canConvertToInt() || length.intValue() < 1
                    || length.intValue() > MAX_OUTPUT_TOKENS) {
                throw lines.fault("The output length is " + OneLine.of(length.toString())
                        + "; write a whole number from 1 to " + MAX_OUTPUT_TOKENS + ".");
            }
            return new Prompt(prompt.stringValue(), OptionalInt.of(length.intValue()));
        } catch (JacksonException e) {
            throw lines.fault(
                    "Not valid JSON (" + OneLine.of(e) + "). A line that begins with { must be one JSON object.", e);
        }
    }

    /// The first value under one of the names; nulls are absent.
    private static @Nullable JsonNode first(JsonNode node, List<String> names) {
        return names.stream().filter(node::hasNonNull).findFirst().map(node::get).orElse(null);
    }
}
