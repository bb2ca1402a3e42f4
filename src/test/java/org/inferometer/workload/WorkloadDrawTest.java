package org.inferometer.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadDrawTest {
    @TempDir
    Path folder;

    private final WorkloadDraw draw = new WorkloadDraw(new BytesAsTokens());

    @Test
    void equalSeedsGiveEqualWorkloadsAndOthersDiffer() throws IOException {
        WorkloadSpec chat = new WorkloadPresets().find("chat");
        String hash = draw.draw(chat, 2, new Seed(1)).hash();
        assertThat(draw.draw(chat, 2, new Seed(1)).hash()).isEqualTo(hash);
        assertThat(draw.draw(chat, 2, new Seed(2)).hash()).isNotEqualTo(hash);
    }

    @Test
    void warmUpDoesNotShiftWhatIsMeasured() throws IOException {
        WorkloadSpec chat = new WorkloadPresets().find("chat").withRequests(5);
        List<Integer> without = lengths(draw.draw(chat, 0, new Seed(1)));
        assertThat(lengths(draw.draw(chat, 7, new Seed(1)))).isEqualTo(without);
    }

    @Test
    void idsCountOnFromTheWarmUp() throws IOException {
        Workload workload = draw.draw(new WorkloadPresets().find("basic").withRequests(2), 3, new Seed(1));
        assertThat(workload.warmUp().stream().map(Request::id)).containsExactly(new RequestId(0), new RequestId(1),
                new RequestId(2));
        assertThat(workload.measured().stream().map(Request::id)).containsExactly(new RequestId(3), new RequestId(4));
    }

    @Test
    void lengthsStayInTheirRangeAndReachItsEnds() throws IOException {
        WorkloadSpec basic = new WorkloadPresets().find("basic").withRequests(2000);
        List<Integer> lengths = lengths(draw.draw(basic, 0, new Seed(3)));
        assertThat(lengths).allMatch(length -> length >= 1 && length <= 20).contains(1, 20);
    }

    @Test
    void poissonGapsHaveTheAskedMeanAndAnUncutTail() throws IOException {
        WorkloadSpec open =
                new WorkloadPresets().find("basic").withRequests(20_000).withArrivals(new ArrivalProcess.Poisson(10));
        List<Request> requests = draw.draw(open, 0, new Seed(4)).measured();
        long last = ((Arrival.At) requests.getLast().arrival()).offsetNanos();
        // 20,000 gaps of mean 100 ms: the mean's standard deviation is 0.7 ms.
        assertThat(last / 20_000e6).isBetween(97.0, 103.0);
        long widest = 0;
        for (int i = 1; i < requests.size(); i++) {
            widest = Math.max(widest, ((Arrival.At) requests.get(i).arrival()).offsetNanos()
                    - ((Arrival.At) requests.get(i - 1).arrival()).offsetNanos());
        }
        assertThat(widest).isGreaterThan(600_000_000L);
    }

    @Test
    void promptsOfAFileAreAskedInOrderAndFromTheTopAgain() throws IOException {
        Path file = folder.resolve("prompts.txt");
        Files.writeString(file, "\uFEFFab\r\n\n{\"prompt\": \"xyz\", \"output_tokens\": 7}\n");
        WorkloadSpec spec = new WorkloadPresets().find("prompts:" + file).withRequests(3);
        List<Request> requests = draw.draw(spec, 0, new Seed(1)).measured();
        assertThat(requests.stream().map(request -> new String(bytes(request.promptTokens()), StandardCharsets.UTF_8)))
                .containsExactly("ab", "xyz", "ab");
        assertThat(requests.stream().map(Request::outputTokens)).containsExactly(64, 7, 64);
    }

    @Test
    void sharedPrefixesAreTheSameInEveryPrompt() throws IOException {
        List<Request> requests =
                draw.draw(new WorkloadPresets().find("agent").withRequests(3), 1, new Seed(9)).measured();
        int[] first = java.util.Arrays.copyOf(requests.get(0).promptTokens(), 512);
        assertThat(java.util.Arrays.copyOf(requests.get(2).promptTokens(), 512)).isEqualTo(first);
    }

    @Test
    void promptsMayHaveTheNamesOfOtherTools() throws IOException {
        Path file = Files.writeString(folder.resolve("p.jsonl"), """
                {"prompt": "a", "output_tokens": 3}
                {"text_input": "b", "output_length": 4, "output_tokens": null}
                {"text": "c", "max_tokens": 5}
                {"text": "d"}
                [INST] e
                """);
        assertThat(new PromptFile().read(file)).containsExactly(new PromptFile.Prompt("a", OptionalInt.of(3)),
                new PromptFile.Prompt("b", OptionalInt.of(4)), new PromptFile.Prompt("c", OptionalInt.of(5)),
                new PromptFile.Prompt("d", OptionalInt.empty()),
                new PromptFile.Prompt("[INST] e", OptionalInt.empty()));
        for (String array : List.of("[{\"conversations\": []}]", "[\n{\"prompt\": \"a\"}\n]")) {
            Files.writeString(file, array);
            assertThatThrownBy(() -> new PromptFile().read(file)).hasMessage(file
                    + ": line 1: A JSON array is not a list of prompts by line. Conversations are read with trace:FILE.");
        }
    }

    @Test
    void brokenPromptFilesAreRefusedWithFileAndLine() throws IOException {
        Path file = folder.resolve("bad.jsonl");
        Files.writeString(file, "fine\n{\"prompt\": 3}\n");
        assertThatThrownBy(() -> new PromptFile().read(file))
                .hasMessage(file + ": line 2: There is no \"prompt\" text. Write {\"prompt\": \"...\"};"
                        + " read conversations with trace:FILE.");
        Files.writeString(file, "{\"prompt\": \"a\", \"output_tokens\": -1}");
        assertThatThrownBy(() -> new PromptFile().read(file)).hasMessageContaining("line 1: The output length is -1");
        Files.write(file, new byte[]{'o', 'k', '\n', (byte) 0xC3, '\n'});
        assertThatThrownBy(() -> new PromptFile().read(file)).hasMessageContaining("is not UTF-8");
        Files.writeString(file, "\n\n");
        assertThatThrownBy(() -> new PromptFile().read(file)).hasMessageContaining("The file has no prompt");
        Files.writeString(file, "a\n".repeat(1_000_001));
        assertThatThrownBy(() -> new PromptFile().read(file))
                .hasMessage(file + ": line 1000001: The file has more than 1000000 prompts. Split it.");
    }

    @Test
    void lengthsAndArrivalsAreWrittenAsTheyAreRead() {
        for (String text : List.of("64", "1..20", "lognormal(120.0, 0.9, 8..1024)")) {
            assertThat(LengthDistribution.parse(text)).hasToString(text);
        }
        for (String text : List.of("closed:concurrency=8", "poisson:rate=4.0")) {
            assertThat(ArrivalProcess.parse(text)).hasToString(text);
        }
        assertThatThrownBy(() -> LengthDistribution.parse("20..1")).hasMessageContaining("is not a token length");
        assertThatThrownBy(() -> ArrivalProcess.parse("poison:rate=4")).hasMessageContaining("Did you mean poisson?");
    }

    private static List<Integer> lengths(Workload workload) {
        return workload.measured().stream().map(request -> request.promptTokens().length).toList();
    }

    private static byte[] bytes(int[] tokens) {
        byte[] bytes = new byte[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            bytes[i] = (byte) tokens[i];
        }
        return bytes;
    }

    private static final class BytesAsTokens implements Tokenizer {
        @Override
        public int[] encode(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int[] tokens = new int[bytes.length];
            for (int i = 0; i < bytes.length; i++) {
                tokens[i] = bytes[i] & 0xff;
            }
            return tokens;
        }

        @Override
        public String decode(int[] tokens) {
            return new String(bytes(tokens), StandardCharsets.UTF_8);
        }

        @Override
        public int vocabulary() {
            return 256;
        }
    }
}
