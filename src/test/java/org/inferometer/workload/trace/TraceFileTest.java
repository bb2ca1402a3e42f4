package org.inferometer.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    private static final String AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n";
    private static final String BURST = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n";

    @TempDir
    private Path folder;

    @Test
    void azureStampsKeepTheirFractionsOfASecond() throws IOException {
        assertThat(read(
                "\uFEFF" + AZURE + "2023-11-16 18:17:03.9799600,374,44\r\n\r\n2023-11-16 18:17:04.0799601,396,109"))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(lengths(2, 0, 374, 44, ""), lengths(4, 100_000_100, 396, 109, ""));
        assertThat(read(AZURE + "2024-05-10 23:59:59.009930+00:00,1,2\r\n2024-05-11T00:00:00,3,4\r\n"))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(lengths(2, 0, 1, 2, ""), lengths(3, 990_070_000, 3, 4, ""));
    }

    @Test
    void burstGptRowsKeepModelAndFailures() throws IOException {
        assertThat(read(BURST + "5,ChatGPT,472,18,490,Conversation log\n45.5,\"GPT-4\",1087,0,1087,API log\n"))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(lengths(2, 0, 472, 18, "ChatGPT"), lengths(3, 40_500_000_000L, 1087, 0, "GPT-4"));
        assertThat(read(
                "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n1,7,2.5,ChatGPT,3,4,7,API log"))
                .usingRecursiveFieldByFieldElementComparator().containsExactly(lengths(2, 0, 3, 4, "ChatGPT"));
    }

    @Test
    void mooncakeLinesKeepTheirBlockIds() throws IOException {
        List<TraceRow> rows = read("""
                {"timestamp": 27482, "input_length": 600, "output_length": 52, "hash_ids": [46, 8000000000]}
                {"output_length": 1, "more": {"x": [1, 2]}, "input_length": 512, "timestamp": 27482.5, "hash_ids": [46]}

                {"timestamp": 30000, "input_length": 9, "output_length": 1}""");
        assertThat(rows).usingRecursiveFieldByFieldElementComparator().containsExactly(
                new TraceRow.Lengths(1, 0, 600, 52, new long[]{46, 8_000_000_000L}, ""),
                new TraceRow.Lengths(2, 500_000, 512, 1, new long[]{46}, ""),
                new TraceRow.Lengths(4, 2_518_000_000L, 9, 1, new long[0], ""));
    }

    @Test
    void firstTwoTurnsOfShareGptAreRead() throws IOException {
        assertThat(read("""
                \uFEFF [{"id": "a", "conversations": [{"from": "human", "value": "Grüße"}, {"value": "Hi", "from": "gpt"}, {"from": "human", "value": "no"}]},
                 {"conversations": [{"from": "gpt", "value": "alone", "x": {"value": "deep"}}], "id": 3},
                 {"id": "empty"}, {"conversations": []}]""")).containsExactly(new TraceRow.Turns(1, "Grüße", "Hi"),
                new TraceRow.Turns(2, "alone", ""), new TraceRow.Turns(3, "", ""), new TraceRow.Turns(4, "", ""));
    }

    @Test
    void readingStopsWhenTheVisitorStops() throws IOException {
        Path file = file(AZURE + "2023-11-16 18:17:03,1,1\nnonsense\n");
        List<TraceRow> rows = new ArrayList<>();
        TraceFile.open(file).read(row -> {
            rows.add(row);
            return false;
        });
        assertThat(rows).hasSize(1);
    }

    @Test
    void unknownFormatNamesTheKnownOnes() throws IOException {
        assertThatThrownBy(() -> TraceFile.open(folder.resolve("none")))
                .hasMessageEndingWith("none: There is no such file. Give the path of a trace.");
        assertThatThrownBy(() -> TraceFile.open(folder)).hasMessageContaining("There is no such file");
        refused("", "line 1: Unknown trace format. Expected the header of an Azure or BurstGPT CSV file");
        refused("a,b,c\n1,2,3\n", "line 1: Unknown trace format");
        Path packed = folder.resolve("t.gz");
        Files.write(packed, new byte[]{0x1f, (byte) 0x8b, 8, 0});
        assertThatThrownBy(() -> TraceFile.open(packed))
                .hasMessageEndingWith("The file is compressed with gzip. Unpack it first.");
    }

    @Test
    void csvFaultsNameTheirLine() throws IOException {
        refused("TIMESTAMP,ContextTokens\n",
                "line 1: There is no column \"GeneratedTokens\", only \"timestamp, contexttokens\".");
        refused(AZURE + "2023-11-16 18:17:03,1\n", "line 2: The record has 2 columns, the header has 3.");
        refused(AZURE + "2023-11-16 18:17:03,,1\n",
                "line 2: ContextTokens is \"\"; expected a whole number from 0 to 100000000.");
        refused(AZURE + "2023-11-16 18:17:03,1,-4\n", "line 2: GeneratedTokens is \"-4\"");
        refused(AZURE + "2023-11-16 18:17:03,1,99999999999999999999\n",
                "line 2: GeneratedTokens is \"99999999999999999999\"");
        refused(AZURE + "2023-11-31 18:17:03,1,1\n",
                "line 2: TIMESTAMP is \"2023-11-31 18:17:03\"; expected a form such as");
        refused(AZURE + "99999-11-30 18:17:03,1,1\n", "line 2: TIMESTAMP is");
        refused(AZURE + "2023-11-16 18:17:03,1,1\n2023-11-16 18:17:02.5,1,1\n",
                "line 3: This request came 0.5 s before the one above. Sort");
        refused(AZURE + "2023-11-16 18:17:03,1,1\n2053-11-16 18:17:03,1,1\n",
                "line 3: This request came more than ten years after the first");
        for (String bad : List.of("NaN", "-1", "Infinity", "1e300", "soon", "")) {
            refused(BURST + bad + ",ChatGPT,1,1,2,API log\n", "line 2: Timestamp is \"" + bad + "\"; expected seconds");
        }
        refused(AZURE + ",".repeat(100) + "\n",
                "line 2: Not a valid CSV record: Record starting at line 2 has surpassed the maximum limit of 64 fields. Repair");
    }

    @Test
    void mooncakeFaultsNameTheirLine() throws IOException {
        String good = "{\"timestamp\": 5, \"input_length\": 3, \"output_length\": 4}\n";
        refused(good + "{\"timestamp\": 6, \"input_length\": 3, \"outp", "line 2: Not valid JSON");
        refused("{\"timestamp\": n5\u0019}\n", "line 1: Not valid JSON (Unrecognized token 'n5 ': was expecting");
        refused(good + "[]\n", "line 2: Expected one JSON object a line.");
        refused(good + good.strip() + "{}\n", "line 2: Text follows the JSON object.");
        refused("{}\n", "line 1: There is no \"timestamp\".");
        refused("{\"timestamp\": 5, \"output_length\": 4}\n", "line 1: There is no \"input_length\".");
        refused("{\"timestamp\": 5, \"input_length\": 4}\n", "line 1: There is no \"output_length\".");
        refused("{\"timestamp\": -5}\n", "line 1: \"timestamp\" must be milliseconds");
        refused("{\"timestamp\": 1e999}\n", "line 1: \"timestamp\" must be milliseconds");
        refused("{\"timestamp\": \"5\"}\n", "line 1: \"timestamp\" must be milliseconds");
        refused("{\"input_length\": -3}\n", "line 1: \"input_length\" must be a whole number");
        refused("{\"input_length\": 3.5}\n", "line 1: \"input_length\" must be a whole number");
        refused("{\"input_length\": 99999999999999}\n", "line 1: ");
        refused("{\"hash_ids\": 3}\n", "line 1: \"hash_ids\" must be a list of whole numbers.");
        refused("{\"hash_ids\": [1, \"2\"]}\n", "line 1: \"hash_ids\" must be a list of whole numbers.");
        refused("{\"timestamp\": 5, \"input_length\": 513, \"output_length\": 4, \"hash_ids\": [1]}\n",
                "line 1: 513 tokens need 2 \"hash_ids\" (one for 512 tokens), not 1.");
        refused(good + good.replace("5", "4"), "line 2: This request came 0.001 s before");
        refused("{" + "[".repeat(5_000), "line 1: ");
    }

    @Test
    void shareGptFaultsNameTheirLine() throws IOException {
        refused("[{\"conversations\": [{\"from\": \"human\", \"value\": \"Hel", "line 1: Not valid JSON");
        refused("[n5\u0019]", "line 1: Not valid JSON (Unrecognized token 'n5 ': was expecting");
        refused("[{},\n{\"conversations\": 3}]", "line 2: \"conversations\" of entry 2 is not a list.");
        refused("[{\"conversations\": [\"hi\"]}]", "line 1: A turn of entry 1 is not an object.");
        refused("[{}, 3]", "line 1: Expected a list of conversations");
        refused("[{\"conversations\": " + "[".repeat(100_000), "line 1: ");
        refused("[{\"conversations\": [{\"value\": \"" + "x".repeat((1 << 21) + 1) + "\"}]}]",
                "line 1: Not valid JSON");
    }

    @Test
    void longLinesAreRefused() throws IOException {
        for (String begin : List.of(AZURE, BURST, "{\"timestamp\": 5}\n{\"x\": \"")) {
            Path file = folder.resolve("long.txt");
            try (OutputStream out = Files.newOutputStream(file)) {
                out.write(begin
                        .replace("{\"timestamp\": 5}", "{\"timestamp\": 5, \"input_length\": 3, \"output_length\": 4}")
                        .getBytes(StandardCharsets.UTF_8));
                byte[] much = new byte[1 << 20];
                Arrays.fill(much, (byte) '7');
                for (int i = 0; i < 64; i++) {
                    out.write(much);
                }
            }
            assertThatThrownBy(() -> TraceFile.open(file).read(row -> true)).isInstanceOf(IOException.class)
                    .hasMessageContaining(begin.startsWith("{") ? "line 2: The line is longer than"
                            : "line 2: Not a valid CSV record");
        }
    }

    @Test
    void textThatIsNotUtf8IsRefused() throws IOException {
        Path file = folder.resolve("latin.csv");
        Files.write(file, (AZURE + "2023-11-16 18:17:03,1,\u00e4\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> TraceFile.open(file).read(row -> true))
                .hasMessageContaining(": The text is not UTF-8. Save the file as UTF-8.");
    }

    private void refused(String content, String sentence) throws IOException {
        Path file = file(content);
        assertThatThrownBy(() -> TraceFile.open(file).read(row -> true)).isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": ").hasMessageContaining(sentence);
    }

    private List<TraceRow> read(String content) throws IOException {
        List<TraceRow> rows = new ArrayList<>();
        TraceFile.open(file(content)).read(rows::add);
        return rows;
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("trace"), content);
    }

    private static TraceRow lengths(long line, long atNanos, int prompt, int output, String model) {
        return new TraceRow.Lengths(line, atNanos, prompt, output, new long[0], model);
    }
}
