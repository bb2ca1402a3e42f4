package org.inferometer.prompting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.inferometer.engine.Engine;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.checkpoint.PublishedCheckpoint;
import org.inferometer.engine.checkpoint.PublishedFormulas;
import org.inferometer.engine.tokenizer.PublishedTokenizer;
import org.inferometer.execution.host.HostBackend;
import org.inferometer.options.Selection;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers of a tiny checkpoint on the CPU, held to the published formulas.
class PromptAnswerTest {
    /// The formulas round nothing, and some tokens are close.
    private static final Selection EXACT = Selection.parse("host:threads=1,float_activations=fp32");

    private static final PublishedCheckpoint CHECKPOINT = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 8);
    private static final int[] PROMPT = {7, 200, 0, 41};
    @TempDir
    static Path folder;
    private static Engine engine;
    private static int[] expected;

    @BeforeAll
    static void build() throws Exception {
        Path place = CHECKPOINT.write(folder.resolve("c"), "BF16", 1);
        Files.writeString(place.resolve("tokenizer.json"), new PublishedTokenizer().json());
        try (Checkpoint opened = Checkpoint.open(place)) {
            new EngineBuilder().build(folder.resolve("m"), opened.material("m", Precision.BF16), fraction -> {});
        }
        engine = Engine.open(folder.resolve("m"));
        expected = new PublishedFormulas(CHECKPOINT).greedy(PROMPT, 60);
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static Answer answer(int[] prompt, int positions, AnswerLimits stop) throws Exception {
        try (SingleLane lane =
                SingleLane.open(engine, new HostBackend(1L << 30, 1), EXACT, positions, 1, new SystemClock())) {
            StringBuilder shown = new StringBuilder();
            Answer answer = new PromptAnswer(lane, engine.tokenizer(), Sampling.GREEDY, stop, shown::append).to(prompt,
                    () -> false);
            assertThat(shown).hasToString(answer.text());
            return answer;
        }
    }

    private static List<Integer> list(int... tokens) {
        return Arrays.stream(tokens).boxed().toList();
    }

    @Test
    void answersAreThoseOfTheFormulas() throws Exception {
        Answer answer = answer(PROMPT, 64, new AnswerLimits(60, Set.of(), List.of()));
        assertThat(answer.tokens()).isEqualTo(list(expected));
        assertThat(answer.end()).isEqualTo(Answer.End.LENGTH);
        assertThat(answer.text()).isEqualTo(engine.tokenizer().decode(expected));
    }

    @Test
    void longPromptsAreComputedInSteps() throws Exception {
        PublishedFormulas formulas = new PublishedFormulas(CHECKPOINT);
        int[] prompt = IntStream.range(0, 300).map(i -> i * 37 % 263).toArray();
        Answer answer = answer(prompt, 310, new AnswerLimits(5, Set.of(), List.of()));
        assertThat(answer.tokens()).isEqualTo(list(formulas.greedy(prompt, 5)));
        assertThat(answer.promptTokens()).isEqualTo(300);
    }

    @Test
    void aModelsEndIsNotShown() throws Exception {
        int end = expected[9];
        int first = list(expected).indexOf(end);
        Answer answer = answer(PROMPT, 64, new AnswerLimits(60, Set.of(end), List.of()));
        assertThat(answer.end()).isEqualTo(Answer.End.END_TOKEN);
        assertThat(answer.tokens()).isEqualTo(list(Arrays.copyOf(expected, first + 1)));
        assertThat(answer.text()).isEqualTo(engine.tokenizer().decode(Arrays.copyOf(expected, first)));
    }

    @Test
    void stopTextsAndPositionsEndAnAnswer() throws Exception {
        String whole = engine.tokenizer().decode(expected);
        int[] ascii = whole.chars().filter(letter -> letter > ' ' && letter < 127).toArray();
        String stop = Character.toString(ascii[ascii.length - 1]);
        Answer stopped = answer(PROMPT, 64, new AnswerLimits(60, Set.of(), List.of(stop)));
        assertThat(stopped.end()).isEqualTo(Answer.End.STOP_TEXT);
        assertThat(stopped.text()).isEqualTo(whole.substring(0, whole.indexOf(stop)));
        Answer full = answer(PROMPT, 10, new AnswerLimits(60, Set.of(), List.of()));
        assertThat(full.end()).isEqualTo(Answer.End.POSITIONS);
        assertThat(full.tokens()).isEqualTo(list(Arrays.copyOf(expected, 7)));
        assertThatThrownBy(() -> answer(PROMPT, 4, new AnswerLimits(1, Set.of(), List.of())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
