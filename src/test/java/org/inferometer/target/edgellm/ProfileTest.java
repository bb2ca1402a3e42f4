package org.inferometer.target.edgellm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.target.edgellm.Tool.ToolFailure;
import org.inferometer.target.edgellm.Tool.ToolResult;
import org.inferometer.target.edgellm.Tool.ToolResult.RequestTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A profile's sums become the work of a batch, or one sentence that says why not.
class ProfileTest {
    private static final String PREFILL =
            "\"prefill\":{\"total_runs\":1,\"reused_tokens\":3,\"computed_tokens\":20,\"average_time_per_run_ms\":45.2}";

    @Test
    void aVersionThatTimesTheWholeGenerationLeavesTheFirstTokenOut() throws Exception {
        String profile = "{" + PREFILL
                + ",\"generation\":{\"total_runs\":1,\"generated_tokens\":10,\"average_time_per_token_ms\":25.0},"
                + "\"stages\":[{\"stage_id\":\"llm_generation\",\"total_runs\":1,\"total_gpu_time_ms\":250.0}],\"peak_unified_memory_bytes\":8634000000}";
        assertThat(work(profile, 1, 16)).isEqualTo(new ToolResult(45_200_000, 250_000_000,
                List.of(new RequestTokens(23, 11)), Map.of("peak_unified_memory_bytes", 8_634_000_000.0)));
    }

    @Test
    void aVersionThatTimesEachStepCountsTheFirstTokenToo() throws Exception {
        String profile = "{" + PREFILL
                + ",\"generation\":{\"total_runs\":1,\"generated_tokens\":11,\"average_time_per_token_ms\":22.7},"
                + "\"stages\":[{\"stage_id\":\"llm_prefill\",\"total_runs\":2,\"total_gpu_time_ms\":44.0},"
                + "{\"stage_id\":\"llm_generation\",\"total_runs\":10,\"total_gpu_time_ms\":250.0}]}";
        assertThat(work(profile, 1, 16))
                .isEqualTo(new ToolResult(44_000_000, 250_000_000, List.of(new RequestTokens(23, 11)), Map.of()));
    }

    @Test
    void promptTokensOfABatchAreDividedEvenly() throws Exception {
        String profile = "{" + PREFILL
                + ",\"generation\":{\"total_runs\":1,\"generated_tokens\":30,\"average_time_per_token_ms\":2.5}}";
        assertThat(work(profile, 2, 16)).isEqualTo(new ToolResult(45_200_000, 75_000_000,
                List.of(new RequestTokens(12, 16), new RequestTokens(11, 16)), Map.of()));
    }

    /// 15 tokens at 50 a second took 300 ms; the sixteenth came with the prefill.
    @ParameterizedTest
    @ValueSource(strings = {"eagle_generation", "mtp_generation", "spec_decode_generation"})
    void speculativeGenerationHasItsRate(String section) throws Exception {
        String profile = "{" + PREFILL + ",\"" + section
                + "\":{\"total_runs\":1,\"total_iterations\":5,\"total_generated_tokens\":15,\"average_acceptance_rate\":3.0,"
                + "\"overall_tokens_per_second_excluding_base_prefill\":50.0}}";
        assertThat(work(profile, 1, 16)).isEqualTo(new ToolResult(45_200_000, 300_000_000,
                List.of(new RequestTokens(23, 16)), Map.of(), Map.of(section + ".total_iterations", 5.0,
                        section + ".total_generated_tokens", 15.0, section + ".average_acceptance_rate", 3.0)));
        assertThatThrownBy(() -> work(profile.replace("50.0", "0"), 1, 16)).isInstanceOf(ToolFailure.class)
                .hasMessage("The profile of llm_inference has no generation time.");
    }

    @Test
    void aSingleTokenNeedsNoGeneration() throws Exception {
        assertThat(work("{" + PREFILL + "}", 2, 1)).isEqualTo(
                new ToolResult(45_200_000, 0, List.of(new RequestTokens(12, 1), new RequestTokens(11, 1)), Map.of()));
    }

    @Test
    void aPeakThatIsNoNumberIsAbsent() throws Exception {
        String peaks = ",\"peak_gpu_memory_bytes\":\"much\",\"peak_cpu_memory_bytes\":0,\"peak_unified_memory_bytes\":1"
                + "0".repeat(400);
        assertThat(work("{" + PREFILL + peaks + "}", 1, 1).peakBytes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"[]|The profile of llm_inference is not a JSON object.",
            "{\"a\":1,\"b\":2}|The profile of llm_inference has no section prefill, only a, b.",
            "{P}|The profile of llm_inference has no section generation, only prefill.",
            "{P,\"generation\":{\"generated_tokens\":5}}|The profile of llm_inference has no usable generation.average_time_per_token_ms: it is missing.",
            "{P,\"generation\":{\"generated_tokens\":-5}}|The profile of llm_inference has no usable generation.generated_tokens: -5.",
            "{P,\"generation\":{\"generated_tokens\":1e400}}|The profile of llm_inference has no usable generation.generated_tokens: \"Infinity\".",
            "{P,\"generation\":{\"generated_tokens\":17}}|The profile of llm_inference counts 17 output tokens; 1 to 16 are expected.",
            "{P,\"generation\":{\"generated_tokens\":5,\"average_time_per_token_ms\":0}}|The profile of llm_inference has no generation time.",
            "{\"prefill\":{\"total_runs\":0,\"average_time_per_run_ms\":0}}|The profile of llm_inference has no prefill time.",})
    void invalidProfileIsReported(String profile, String sentence) {
        assertThatThrownBy(() -> work(profile.replace("P", PREFILL), 1, 16)).isInstanceOf(ToolFailure.class)
                .hasMessage(sentence);
    }

    @Test
    void whoEndedEarlyInABatchIsNotGuessed() {
        String profile = "{" + PREFILL + ",\"generation\":{\"generated_tokens\":20,\"average_time_per_token_ms\":2.5}}";
        assertThatThrownBy(() -> work(profile, 2, 16)).hasMessage(
                "Some of the 2 requests of the batch ended early (22 of 32 tokens), and the profile does not show which. Use batch_size=1.");
    }

    @Property(tries = 300)
    void aTruncatedOrDamagedProfileIsASentenceOrAWorkThatCanBe(@ForAll @IntRange(max = 500) int at, @ForAll byte damage)
            throws IOException {
        byte[] bytes = FakeTools.PROFILE.strip().getBytes(StandardCharsets.UTF_8);
        int cut = at % bytes.length;
        for (byte[] hostile : List.of(Arrays.copyOf(bytes, cut), damaged(bytes, cut, damage))) {
            try {
                ToolResult work = work(hostile, 1, 3);
                assertThat(work.prefillNanos()).isPositive();
                assertThat(work.requests()).singleElement()
                        .satisfies(share -> assertThat(share.outputTokens()).isBetween(1, 3));
            } catch (ToolFailure e) {
                assertThat(e.message()).endsWith(".").doesNotContain("\n").hasSizeLessThan(500);
            }
        }
    }

    private static byte[] damaged(byte[] bytes, int at, byte damage) {
        byte[] damaged = bytes.clone();
        damaged[at] = damage;
        return damaged;
    }

    private static ToolResult work(String profile, int requests, int asked) throws IOException, ToolFailure {
        return work(profile.getBytes(StandardCharsets.UTF_8), requests, asked);
    }

    private static ToolResult work(byte[] profile, int requests, int asked) throws IOException, ToolFailure {
        Path file = Files.createTempFile("profile", ".json");
        try {
            Files.write(file, profile);
            return Profile.read(file, "llm_inference").work(requests, asked);
        } finally {
            Files.delete(file);
        }
    }
}
