package org.inferometer.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.inferometer.units.Seed;

/// Whatever stands in a file: requests, or one sentence.
class TraceFileProperties {
    private static final String[] WHOLE = {
            "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,374,44\r\n2023-11-16 18:17:04.0,396,109\r\n2023-11-16 18:17:05,3,9",
            "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n45,GPT-4,1087,230,1317,API log\n",
            "{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 52, \"hash_ids\": [46, 47]}\n{\"timestamp\": 9, \"input_length\": 12, \"output_length\": 2}\n",
            "{\"timestamp\": 0, \"text_input\": \"a b\", \"output_length\": 52}\n{\"chat_id\": 3, \"timestamp\": 9.5, \"input_length\": 12, \"output_length\": 2, \"session_id\": \"a\"}\n",
            "{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"Hi\"}]}, {\"role\": \"assistant\", \"content\": \"Ho\"}]}\n{\"messages\": []}\n",
            "[{\"id\": \"a\", \"conversations\": [{\"from\": \"human\", \"value\": \"Gr\u00fc\u00dfe\"}, {\"from\": \"gpt\", \"value\": \"Hi\"}]},\n{\"conversations\": []}]"};
    private static final String PIECES = "[]{}:,\"'\\\n\r\t -+.eE0123456789nutf\u0000\u00e9\uFEFF";

    private static Path file = Path.of("");

    @BeforeContainer
    static void makeFile() throws IOException {
        file = Files.createTempFile("trace", ".fuzz");
    }

    @AfterContainer
    static void deleteFile() throws IOException {
        Files.deleteIfExists(file);
    }

    @Property(tries = 3_000)
    void noBytesMakeAReaderDoAnythingButReadOrRefuseInOneSentence(@ForAll long seed,
            @ForAll @IntRange(max = 5) int format) throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        StringBuilder text = new StringBuilder(WHOLE[format]);
        for (int change = random.nextInt(5); change >= 0; change--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, PIECES.charAt(random.nextInt(PIECES.length())));
                case 1 -> text.insert(at, PIECES.charAt(random.nextInt(PIECES.length())));
                case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(30))));
                default -> text.setLength(Math.max(1, at));
            }
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        Files.write(file, bytes);
        long[] last = {0};
        try {
            TraceFile.open(file, JsonRows.STANDARD).read(row -> {
                if (row instanceof TraceRow.Single single) {
                    assertThat(single.atNanos()).isGreaterThanOrEqualTo(last[0]);
                    assertThat(single.outputTokens()).isNotNegative();
                    last[0] = single.atNanos();
                }
                return true;
            });
        } catch (IOException e) {
            assertThat(e.getMessage()).startsWith(file + ": ").matches("[^\\p{Cntrl}]*[.?]");
        }
    }
}
