package org.inferometer.target.edgellm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.target.WordTokenizer;
import org.inferometer.target.edgellm.Tool.ToolFailure;
import org.inferometer.target.edgellm.Tool.ToolResult;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import org.inferometer.workload.Request;
import org.inferometer.workload.Sampling;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/// `llm_inference`: one process per batch, with the prompts as text; the times are in its profile.
final class InferenceTool implements Tool {
    private static final String PROGRAM = "llm_inference";
    private static final String INPUT = "input.json";
    private static final String OUTPUT = "output.json";
    private static final String PROFILE = "profile.json";
    private static final String REFUSAL = "cannot handle this request";

    private static final int MOST_BYTES = 256 << 20;
    private static final int LONGEST_TEXT = 16 << 20;

    private final JsonMapper json =
            JsonMapper
                    .builder(JsonFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder().maxStringLength(LONGEST_TEXT).build())
                            .build())
                    .build();
    private final EdgeLlmSettings settings;
    private final WordTokenizer words;

    InferenceTool(EdgeLlmSettings settings, WordTokenizer words) {
        this.settings = settings;
        this.words = words;
    }

    /// An input file has one output length and one sampling.
    @Override
    public boolean together(Request first, Request second) {
        Sampling one = first.sampling();
        Sampling other = second.sampling();
        return first.outputTokens() == second.outputTokens() && one.temperature() == other.temperature()
                && one.topK() == other.topK() && one.topP() == other.topP();
    }

    @Override
    public List<List<String>> commands(List<Request> batch, Path folder) throws IOException {
        Path input = folder.resolve(INPUT);
        try (var out = Files.newOutputStream(input); JsonGenerator generator = json.createGenerator(out)) {
            write(generator, batch);
        } catch (JacksonException e) {
            throw new IOException(e.getMessage(), e);
        }
        return List.of(List.of(settings.tool().toString(), "--inputFile", input.toString(), "--engineDir",
                settings.engine().toString(), "--outputFile", folder.resolve(OUTPUT).toString(), "--warmup",
                Integer.toString(settings.options().warmup()), "--dumpProfile", "--profileOutputFile",
                folder.resolve(PROFILE).toString()));
    }

    private void write(JsonGenerator out, List<Request> batch) {
        Sampling sampling = batch.getFirst().sampling();
        out.writeStartObject();
        out.writeNumberProperty("batch_size", batch.size());
        // The likeliest token is the likeliest at any temperature, and none divides by zero.
        out.writeNumberProperty("temperature", sampling.greedy() ? 1.0 : sampling.temperature());
        out.writeNumberProperty("top_p", sampling.greedy() ? 1.0 : sampling.topP());
        out.writeNumberProperty("top_k", sampling.greedy() ? 1 : sampling.topK());
        out.writeNumberProperty("max_generate_length", batch.getFirst().outputTokens());
        out.writeArrayPropertyStart("requests");
        for (Request request : batch) {
            String text = request.promptText();
            out.writeStartObject();
            out.writeArrayPropertyStart("messages");
            out.writeStartObject();
            out.writeStringProperty("role", "user");
            out.writeStringProperty("content", text == null ? words.decode(request.promptTokens()) : text);
            out.writeEndObject();
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    @Override
    public ToolResult read(List<Request> batch, Path folder) throws ToolFailure {
        requireAnswers(folder.resolve(OUTPUT), batch.size());
        return Profile.read(folder.resolve(PROFILE), PROGRAM).work(batch.size(), batch.getFirst().outputTokens());
    }

    @Override
    public String caution() {
        return "Each request or batch starts llm_inference. Process start, engine loading and "
                + settings.options().warmup()
                + " warm-up runs count in TTFT and E2E, not in queue time. Prefill and decode latency come from the tool's profile.";
    }

    /// Reads the answers as a stream, so that their length needs no memory.
    private void requireAnswers(Path file, int asked) throws ToolFailure {
        int answers = 0;
        try (InputStream in = ToolFiles.open(file, PROGRAM, MOST_BYTES); JsonParser parser = json.createParser(in)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME && "output_text".equals(parser.currentName())) {
                    parser.nextToken();
                    String text = parser.getString();
                    if (text.contains(REFUSAL)) {
                        throw new ToolFailure(PROGRAM + " answered: " + OneLine.of(text));
                    }
                    answers++;
                }
            }
        } catch (JacksonException e) {
            throw new ToolFailure("The " + OUTPUT + " of " + PROGRAM + " is broken: " + OneLine.of(e) + ".");
        } catch (IOException e) {
            throw new ToolFailure(
                    "The " + OUTPUT + " of " + PROGRAM + " cannot be read: " + FileFault.describe(e) + ".");
        }
        if (answers != asked) {
            throw new ToolFailure(PROGRAM + " answered " + answers + " of " + asked + " requests.");
        }
    }
}
