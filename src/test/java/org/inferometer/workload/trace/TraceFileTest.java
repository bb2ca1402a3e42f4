package org.inferometer.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    private static final String AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n";
    private static final JsonRows TURNS = new JsonRows(JsonRows.TimestampUnit.AUTO, 0, 0, true);
    private static final String GOOD = "{\"timestamp\": 5, \"input_length\": 3, \"output_length\": 4}\n";
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
        assertThat(read(BURST + "5,ChatGPT,472.0,18,490,Conversation log\n45.5,\"GPT-4\",1087,0,1087,API log\n"))
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
                {"output_length": 1, "more": {"x": [1, 2]}, "input_length": 512, "timestamp": 27483, "hash_ids": [46]}

                {"timestamp": 30000, "input_length": 9, "output_length": 1}""");
        assertThat(rows).usingRecursiveFieldByFieldElementComparator().containsExactly(
                new TraceRow.Lengths(1, 0, 600, 52, new long[]{46, 8_000_000_000L}, 512, ""),
                new TraceRow.Lengths(2, 1_000_000, 512, 1, new long[]{46}, 512, ""),
                new TraceRow.Lengths(4, 2_518_000_000L, 9, 1, new long[0], 512, ""));
    }

    @Test
    void wholeTimestampsAreMillisecondsAndDecimalsAreAsked() throws IOException {
        String rows = """
                {"timestamp": 0, "input_length": 10, "output_length": 5}
                {"timestamp": 0.2, "input_length": 20, "output_length": 8}
                """;
        refused(rows,
                "line 2: A time of this row has decimals and may count seconds or milliseconds; say it with unit=s or unit=ms.");
        assertThat(instants(rows, JsonRows.TimestampUnit.S)).containsExactly(0L, 200_000_000L);
        assertThat(instants(rows, JsonRows.TimestampUnit.MS)).containsExactly(0L, 200_000L);
        assertThat(instants(rows.replace("0.2", "2"), JsonRows.TimestampUnit.AUTO)).containsExactly(0L, 2_000_000L);
        assertThat(instants(rows.replace("0.2", "2"), JsonRows.TimestampUnit.S)).containsExactly(0L, 2_000_000_000L);
        String sinceEpoch =
                rows.replace("0.2", "1764400000256").replace("\"timestamp\": 0", "\"timestamp\": 1764400000000");
        assertThat(instants(sinceEpoch, JsonRows.TimestampUnit.AUTO)).containsExactly(0L, 256_000_000L);
        refused(rows.replace("0.2", "1e300"), "line 2: A time of this row has decimals");
        refused("{\"timestamp\": 99999999999999999999, \"input_length\": 1, \"output_length\": 5}",
                "line 1: \"timestamp\" is too large; check unit=.");
    }

    @Test
    void bailianCountsSecondsAndBlocksOfSixteen() throws IOException {
        assertThat(read("""
                {"chat_id": 1, "parent_chat_id": -1, "timestamp": 61.5, "input_length": 33, "output_length": 2, "hash_ids": [7, 8, 9]}
                {"timestamp": 63, "input_length": 16, "output_length": 1, "hash_ids": [7], "turn": 2, "chat_id": 2}"""))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new TraceRow.Lengths(1, 0, 33, 2, new long[]{7, 8, 9}, 16, ""),
                        new TraceRow.Lengths(2, 1_500_000_000L, 16, 1, new long[]{7}, 16, ""));
    }

    @Test
    void blocksOfAnotherSizeAreAskedAndGiven() throws IOException {
        String row = "{\"timestamp\": 0, \"input_length\": 300, \"output_length\": 4, \"hash_ids\": [1, 2, 3]}";
        refused(row,
                "line 1: 300 tokens need 1 \"hash_ids\" of 512 tokens, not 3; give the tokens of an id with block_size=.");
        for (int block : List.of(128, 200)) {
            assertThat(read(row, new JsonRows(JsonRows.TimestampUnit.AUTO, block, 0, false)))
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactly(new TraceRow.Lengths(1, 0, 300, 4, new long[]{1, 2, 3}, block, ""));
        }
    }

    @Test
    void rowsMayLackTheAnswersLengthAndGiveText() throws IOException {
        String rows = """
                {"text_input": "hello \\"timestamp\\"", "timestamp": 5, "output_length": 0, "input_length": null}
                {"timestamp": 9, "input_length": 3, "output_length": null}
                """;
        assertThat(read(rows, new JsonRows(JsonRows.TimestampUnit.AUTO, 0, 64, false)))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new TraceRow.Text(1, 0, "hello \"timestamp\"", 0),
                        new TraceRow.Lengths(2, 4_000_000, 3, 64, new long[0], 512, ""));
        refused(rows, "line 2: There is no \"output_length\"; give the length of such answers with output=.");
        refused(rows.replace("null}\n{", "4}\n{"), "line 1: A row has either \"input_length\" or \"text_input\".");
    }

    @Test
    void rowsWithoutInstantsNeedNone() throws IOException {
        Path file = file("{\"input_length\": 3, \"output_length\": 4}\n");
        assertThat(TraceFile.open(file, JsonRows.STANDARD).hasInstants()).isFalse();
        refused("{\"input_length\": 3, \"output_length\": 4}\n{\"timestamp\": 2, \"input_length\": 3, \"output_length\": 4}",
                "line 2: This row has a \"timestamp\", the first row has none;");
    }

    @Test
    void onlyJsonLinesOfRequestsTakeTheirOptions() throws IOException {
        Path file = file(AZURE);
        assertThatThrownBy(() -> TraceFile.open(file, new JsonRows(JsonRows.TimestampUnit.S, 0, 0, false)))
                .hasMessage(file + ": Only JSON lines of requests take unit, block_size and output. Leave them out.");
    }

    @Test
    void turnsOfASessionAreReadOnceAsked() throws IOException {
        String rows = """
                {"session_id": "a", "timestamp": 7, "input_length": 100, "output_length": 5}
                {"session_id": "a", "delay": 500, "input_length": 50, "output_length": 4}
                {"session_id": "b", "timestamp": 9, "input_length": 1, "output_length": 2}
                {"session_id": "b", "input_length": 3, "output_length": 3}
                """;
        refused(rows,
                "line 2: This is a later turn of its \"session_id\"; replay turns after each other with sessions=true.");
        assertThat(read(rows, TURNS)).usingRecursiveFieldByFieldElementComparator().containsExactly(
                new TraceRow.Lengths(1, 0, 100, 5, new long[0], 512, ""),
                new TraceRow.LaterTurn(new TraceRow.Lengths(2, 0, 50, 4, new long[0], 512, ""), 500_000_000),
                new TraceRow.Lengths(3, 2_000_000, 1, 2, new long[0], 512, ""),
                new TraceRow.LaterTurn(new TraceRow.Lengths(4, 2_000_000, 3, 3, new long[0], 512, ""), 0));
        refused(rows.replace("500", "0.5"), TURNS, "line 2: A time of this row has decimals");
        refused(rows.replace("delay", "timestamp"), TURNS, "line 2: A later turn needs the \"delay\"");
        refused(rows.replace("\"input_length\": 50", "\"text_input\": \"x\""), TURNS,
                "line 2: A later turn of a session needs \"input_length\"");
        refused(rows + rows, TURNS, "line 5: The rows of a \"session_id\" stand apart; write them below each other.");
    }

    @Test
    void questionsAreFoundByRoleWhoeverBegins() throws IOException {
        assertThat(
                read("""
                [{"conversations": [{"from": "gpt", "value": "I start"}, {"from": "human", "value": "odd"}, {"from": "gpt", "value": "ok"}]},
                 {"conversations": [{"from": "system", "value": "kind"}, {"from": "human", "value": "why"}, {"from": "tool", "value": "x"}, {"from": "gpt", "value": "so"}]},
                 {"conversations": [{"from": "human", "value": null}, {"from": "gpt", "value": "xyz"}, {"value": "q", "from": "human"}, {"value": "a", "from": "gpt"}]},
                 {"conversations": [{"from": "human", "value": "one"}, {"from": "gpt", "value": ""}, {"from": "human", "value": "two"}, {"from": "gpt", "value": "b"}]},
                 {"messages": [{"role": "system", "content": "kind"}, {"role": "user", "content": "hm"}, {"role": "assistant", "content": "ah"}]}]"""))
                .containsExactly(new TraceRow.Turns(1, "odd", "ok"), new TraceRow.Turns(2, "why", "so"),
                        new TraceRow.Turns(3, "q", "a"), new TraceRow.Turns(4, "one", ""),
                        new TraceRow.Turns(5, "hm", "ah"));
    }

    @Test
    void conversationsComeAsJsonLinesWithContentInParts() throws IOException {
        String lines = """
                {"id": 1, "timestamp": "2023", "conversation": [{"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"text": "no"}}, {"type": "text", "text": "this"}]}, {"role": "assistant", "content": ["a", "b"]}]}

                {"messages": [{"role": {"x": [1]}, "content": "no"}, {"role": "User", "content": "q"}, {"role": "assistant", "content": "a"}], "n": 2}
                """;
        assertThat(read(lines)).containsExactly(new TraceRow.Turns(1, "see\nthis", "a\nb"),
                new TraceRow.Turns(2, "q", "a"));
        assertThat(TraceFile.open(file(lines), JsonRows.STANDARD).hasInstants()).isFalse();
        refused("{\"conversations\": []}\n{\"conversations\": [", "line 2: Not valid JSON");
        refused("{\"conversations\": []}\n[]", "line 2: Expected a list of conversations");
    }

    @Test
    void firstQuestionOfShareGptAndItsAnswerAreRead() throws IOException {
        assertThat(read("""
                \uFEFF [{"id": "a", "conversations": [{"from": "human", "value": "Grüße"}, {"value": "Hi", "from": "gpt"}, {"from": "human", "value": "no"}]},
                 {"conversations": [{"from": "gpt", "value": "alone", "x": {"value": "deep"}}], "id": 3},
                 {"id": "empty"}, {"conversations": []}]""")).containsExactly(new TraceRow.Turns(1, "Grüße", "Hi"),
                new TraceRow.Turns(2, "", ""), new TraceRow.Turns(3, "", ""), new TraceRow.Turns(4, "", ""));
    }

    @Test
    void readingStopsWhenTheVisitorStops() throws IOException {
        Path file = file(AZURE + "2023-11-16 18:17:03,1,1\nnonsense\n");
        List<TraceRow> rows = new ArrayList<>();
        TraceFile.open(file, JsonRows.STANDARD).read(row -> {
            rows.add(row);
            return false;
        });
        assertThat(rows).hasSize(1);
    }

    @Test
    void unknownFormatNamesTheKnownOnes() throws IOException {
        assertThatThrownBy(() -> TraceFile.open(folder.resolve("none"), JsonRows.STANDARD))
                .hasMessageEndingWith("none: There is no such file. Give the path of a trace.");
        assertThatThrownBy(() -> TraceFile.open(folder, JsonRows.STANDARD))
                .hasMessageContaining("There is no such file");
        refused("", "line 1: Unknown trace format. Expected the header of an Azure or BurstGPT CSV file");
        refused("a,b,c\n1,2,3\n", "line 1: Unknown trace format");
    }

    @Test
    void packedFilesAreReadAsTheyAreAndDamageIsSaid() throws IOException {
        for (String content : List.of(AZURE + "2023-11-16 18:17:03,1,2\n".repeat(9), GOOD + GOOD,
                "[{\"conversations\": [{\"value\": \"a\"}, {\"value\": \"b\"}]}]")) {
            List<TraceRow> plain = read(content);
            var bytes = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(bytes)) {
                out.write(content.getBytes(StandardCharsets.UTF_8));
            }
            Path packed = Files.write(folder.resolve("t.gz"), bytes.toByteArray());
            List<TraceRow> rows = new ArrayList<>();
            TraceFile.open(packed, JsonRows.STANDARD).read(rows::add);
            assertThat(rows).usingRecursiveFieldByFieldElementComparator().isEqualTo(plain);
            for (int kept : new int[]{4, 20, bytes.size() - 1}) {
                Files.write(packed, Arrays.copyOf(bytes.toByteArray(), kept));
                assertThatThrownBy(() -> TraceFile.open(packed, JsonRows.STANDARD).read(row -> true))
                        .hasMessage(packed + ": The gzip data is damaged. Pack the file again, or give it unpacked.");
            }
        }
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
        String good = GOOD;
        refused(good + "{\"timestamp\": 6, \"input_length\": 3, \"outp", "line 2: Not valid JSON");
        refused("{\"timestamp\": n5\u0019}\n", "line 1: Not valid JSON (Unrecognized token 'n5 ': was expecting");
        refused(good + "[]\n", "line 2: Expected one JSON object a line.");
        refused(good + good.strip() + "{}\n", "line 2: Text follows the JSON object.");
        refused("{}\n", "line 1: There is no \"input_length\" and no \"text_input\".");
        refused(good + "{\"input_length\": 3, \"output_length\": 4}\n", "line 2: There is no \"timestamp\".");
        refused("{\"timestamp\": 5, \"output_length\": 4}\n",
                "line 1: There is no \"input_length\" and no \"text_input\".");
        refused("{\"timestamp\": 5, \"input_length\": 4}\n",
                "line 1: There is no \"output_length\"; give the length of such answers with output=.");
        refused("{\"timestamp\": -5}\n", "line 1: \"timestamp\" must be a time");
        refused("{\"timestamp\": 1e999}\n", "line 1: \"timestamp\" must be a time");
        refused("{\"timestamp\": \"5\"}\n", "line 1: \"timestamp\" must be a time");
        refused("{\"input_length\": -3}\n", "line 1: \"input_length\" must be a whole number");
        refused("{\"input_length\": 3.5}\n", "line 1: \"input_length\" must be a whole number");
        refused("{\"input_length\": 99999999999999}\n", "line 1: ");
        refused("{\"hash_ids\": 3}\n", "line 1: \"hash_ids\" must be a list of whole numbers.");
        refused("{\"hash_ids\": [1, \"2\"]}\n", "line 1: \"hash_ids\" must be a list of whole numbers.");
        refused("{\"timestamp\": 5, \"input_length\": 513, \"output_length\": 4, \"hash_ids\": [1]}\n",
                "line 1: 513 tokens need 2 \"hash_ids\" of 512 tokens, not 1; give the tokens of an id with block_size=.");
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
            assertThatThrownBy(() -> TraceFile.open(file, JsonRows.STANDARD).read(row -> true))
                    .isInstanceOf(IOException.class).hasMessageContaining(begin.startsWith("{")
                            ? "line 2: The line is longer than" : "line 2: Not a valid CSV record");
        }
    }

    @Test
    void textThatIsNotUtf8IsRefused() throws IOException {
        Path file = folder.resolve("latin.csv");
        Files.write(file, (AZURE + "2023-11-16 18:17:03,1,\u00e4\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> TraceFile.open(file, JsonRows.STANDARD).read(row -> true))
                .hasMessageContaining(": The text is not UTF-8. Save the file as UTF-8.");
    }

    private void refused(String content, String sentence) throws IOException {
        refused(content, JsonRows.STANDARD, sentence);
    }

    private void refused(String content, JsonRows rows, String sentence) throws IOException {
        Path file = file(content);
        assertThatThrownBy(() -> TraceFile.open(file, rows).read(row -> true)).isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": ").hasMessageContaining(sentence);
    }

    private List<TraceRow> read(String content) throws IOException {
        return read(content, JsonRows.STANDARD);
    }

    private List<TraceRow> read(String content, JsonRows rows) throws IOException {
        List<TraceRow> read = new ArrayList<>();
        TraceFile.open(file(content), rows).read(read::add);
        return read;
    }

    private List<Long> instants(String content, JsonRows.TimestampUnit unit) throws IOException {
        return read(content, new JsonRows(unit, 0, 0, false)).stream().map(row -> ((TraceRow.Single) row).atNanos())
                .toList();
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("trace"), content);
    }

    private static TraceRow lengths(long line, long atNanos, int prompt, int output, String model) {
        return new TraceRow.Lengths(line, atNanos, prompt, output, new long[0], 1, model);
    }
}
