package org.inferometer.target.edgellm;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.inferometer.target.edgellm.Tool.ToolFailure;
import org.inferometer.target.edgellm.Tool.ToolResult;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The profile of `llm_inference --profileOutputFile`: sums over its batch, by the GPU's clock.
final class Profile {
    private static final int MOST_BYTES = 4 << 20;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double LONGEST_MILLIS = 86_400_000;
    private static final double MOST_TOKENS = Integer.MAX_VALUE;
    /// The peak of host memory; the others are peaks of GPU or shared memory.
    static final String HOST_PEAK = "peak_cpu_memory_bytes";

    private static final List<String> PEAKS = List.of("peak_gpu_memory_bytes", "peak_unified_memory_bytes", HOST_PEAK);

    private static final String GENERATION = "generation";
    private static final String RATE = "overall_tokens_per_second_excluding_base_prefill";
    private static final List<String> SPECULATION = List.of("total_iterations", "total_generated_tokens",
            "total_accepted_tokens", "average_acceptance_length", "average_acceptance_rate");

    private final JsonNode root;
    private final String program;

    private Profile(JsonNode root, String program) {
        this.root = root;
        this.program = program;
    }

    /// Reads the file, at most 4 MiB.
    ///
    /// @throws ToolFailure if it is missing, too long, truncated or not a JSON object
    static Profile read(Path file, String program) throws ToolFailure {
        byte[] bytes = ToolFiles.read(file, program, MOST_BYTES);
        try {
            JsonNode root = JsonMapper.builder().build().readTree(bytes);
            if (!root.isObject()) {
                throw new ToolFailure("The profile of " + program + " is not a JSON object.");
            }
            return new Profile(root, program);
        } catch (JacksonException e) {
            throw new ToolFailure("The profile of " + program + " is broken: " + OneLine.of(e) + ".");
        }
    }

    /// The result of a batch.
    ///
    /// @param asked output tokens requested of each request
    /// @throws ToolFailure if the profile does not match the batch, or does not give the tokens of each request
    ToolResult work(int requests, int asked) throws ToolFailure {
        JsonNode prefill = section("prefill");
        double prefillMillis = number(prefill, "prefill", "average_time_per_run_ms", LONGEST_MILLIS)
                * number(prefill, "prefill", "total_runs", MOST_TOKENS);
        prefillMillis = stage("llm_prefill", "total_gpu_time_ms", prefillMillis);
        if (!(prefillMillis > 0)) {
            throw new ToolFailure("The profile of " + program + " has no prefill time.");
        }
        double promptTokens = number(prefill, "prefill", "reused_tokens", MOST_TOKENS)
                + number(prefill, "prefill", "computed_tokens", MOST_TOKENS);
        double decodeMillis = 0;
        long outputTokens = requests;
        // For one token each the tool does not generate; some versions then omit the section.
        if (asked > 1) {
            double generated = generated();
            outputTokens = outputTokens(Math.round(generated), requests, asked);
            decodeMillis = generationMillis(generated);
            if (outputTokens > requests && !(decodeMillis > 0)) {
                throw new ToolFailure("The profile of " + program + " has no generation time.");
            }
        }
        return new ToolResult(Math.round(prefillMillis * NANOS_A_MILLI), Math.round(decodeMillis * NANOS_A_MILLI),
                shares(requests, Math.round(promptTokens), outputTokens, asked), peakBytes(), speculation());
    }

    private double generated() throws ToolFailure {
        return isPlain() ? number(section(GENERATION), GENERATION, "generated_tokens", MOST_TOKENS)
                : number(section(speculative()), speculative(), "total_generated_tokens", MOST_TOKENS);
    }

    /// With speculation the profile has the rate of all its stages after the prefill.
    private double generationMillis(double generated) throws ToolFailure {
        if (isPlain()) {
            return stage("llm_generation", "total_gpu_time_ms",
                    generated * number(section(GENERATION), GENERATION, "average_time_per_token_ms", LONGEST_MILLIS));
        }
        double rate = number(section(speculative()), speculative(), RATE, MOST_TOKENS);
        return rate > 0 ? Math.min(LONGEST_MILLIS, 1000 * generated / rate) : 0;
    }

    private boolean isPlain() {
        return root.has(GENERATION) || speculative().isEmpty();
    }

    /// The section of speculative decoding, which is named after its kind: "eagle_generation", "mtp_generation"; empty without it.
    private String speculative() {
        return root.propertyNames().stream().filter(name -> name.endsWith("_generation"))
                .filter(name -> root.path(name).has("total_generated_tokens")).findFirst().orElse("");
    }

    /// What the profile says about speculative decoding, by its names; empty without it.
    private Map<String, Double> speculation() {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String field : SPECULATION) {
            double value = root.path(speculative()).path(field).doubleValue(Double.NaN);
            if (value >= 0 && value <= MOST_TOKENS) {
                numbers.put(speculative() + "." + field, value);
            }
        }
        return numbers;
    }

    /// Output tokens of the batch. Versions that time every step count the token of the prefill; versions that time the
    /// whole generation do not.
    private long outputTokens(long generated, int requests, int asked) throws ToolFailure {
        boolean counted = stage("llm_generation", "total_runs", 1) > 1 || generated > requests * (asked - 1L);
        long tokens = counted ? generated : generated + requests;
        if (tokens < requests || tokens > (long) requests * asked) {
            throw new ToolFailure("The profile of " + program + " counts " + tokens + " output tokens; " + requests
                    + " to " + (long) requests * asked + " are expected.");
        }
        return tokens;
    }

    /// Prompt tokens are divided evenly, since only their sum is known and used.
    private List<ToolResult.RequestTokens> shares(int requests, long promptTokens, long outputTokens, int asked)
            throws ToolFailure {
        if (requests > 1 && outputTokens != (long) requests * asked) {
            throw new ToolFailure("Some of the " + requests + " requests of the batch ended early (" + outputTokens
                    + " of " + (long) requests * asked
                    + " tokens), and the profile does not show which. Use batch_size=1.");
        }
        if (promptTokens < requests || promptTokens > Integer.MAX_VALUE) {
            throw new ToolFailure("The profile of " + program + " counts " + promptTokens + " prompt tokens for "
                    + requests + " requests.");
        }
        long more = promptTokens % requests;
        return IntStream.range(0, requests)
                .mapToObj(i -> new ToolResult.RequestTokens((int) (promptTokens / requests + (i < more ? 1 : 0)),
                        (int) (outputTokens / requests)))
                .toList();
    }

    private Map<String, Double> peakBytes() {
        Map<String, Double> peaks = new LinkedHashMap<>();
        for (String name : PEAKS) {
            double bytes = root.path(name).doubleValue(0);
            if (bytes > 0 && Double.isFinite(bytes)) {
                peaks.put(name, bytes);
            }
        }
        return peaks;
    }

    private JsonNode section(String name) throws ToolFailure {
        JsonNode section = root.path(name);
        if (!section.isObject()) {
            throw new ToolFailure("The profile of " + program + " has no section " + name + ", only "
                    + OneLine.of(String.join(", ", root.propertyNames())) + ".");
        }
        return section;
    }

    private double number(JsonNode section, String name, String field, double most) throws ToolFailure {
        JsonNode node = section.path(field);
        double value = node.doubleValue(Double.NaN);
        if (!(value >= 0 && value <= most)) {
            throw new ToolFailure("The profile of " + program + " has no usable " + name + "." + field + ": "
                    + (node.isMissingNode() ? "it is missing" : OneLine.of(node.toString())) + ".");
        }
        return value;
    }

    /// A number of a stage, or the default if it is absent.
    private double stage(String id, String field, double otherwise) throws ToolFailure {
        for (JsonNode stage : root.path("stages")) {
            if (stage.path("stage_id").isString() && stage.path("stage_id").stringValue().equals(id)
                    && stage.has(field)) {
                return number(stage, id, field, LONGEST_MILLIS);
            }
        }
        return otherwise;
    }
}
