package org.inferometer.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions, prefixes, patience, duration and traces, drawn.
class LoadDrawTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private final WorkloadPresets presets = new WorkloadPresets();
    private final WorkloadDraw draw = new WorkloadDraw(new Bytes());

    @Test
    void loadsOfEarlierRecordsKeepTheirHash() throws IOException {
        assertThat(draw.draw(presets.find("chat"), 4, new Seed(7)).hash())
                .isEqualTo("a0950c12ffa2ec59ae366be23363d8c2e75284f455daedeaf9118b9f59f427ec");
        assertThat(draw.draw(presets.find("agent"), 4, new Seed(7)).hash())
                .isEqualTo("85bd0e3a54647efb41e45cc383a44e1851731380a4c574d5d97429a51c4a305c");
        assertThat(draw.draw(presets.find("basic").withArrivals(new ArrivalProcess.Poisson(4)), 2, new Seed(7)).hash())
                .isEqualTo("aef8fb1186a6f45a5d8a04881ce80062666febaa3bf1b8c01e275df9161f3aa7");
    }

    @Test
    void eachTurnAsksTheWholeConversationBeforeItAndSomethingNew() throws IOException {
        WorkloadSpec spec = sessions("3", 100, 0).withSharedPrefix(7).withLengths(LengthDistribution.parse("5..9"),
                LengthDistribution.parse("2..4"));
        List<Request> requests = draw.draw(spec.withRequests(9), 0, new Seed(1)).measured();
        for (int i = 0; i < 9; i++) {
            Request request = requests.get(i);
            if (i % 3 == 0) {
                assertThat(request.arrival()).isEqualTo(new Arrival.WhenFree(0));
                assertThat(request.promptTokens().length).isBetween(12, 16);
                continue;
            }
            Request before = requests.get(i - 1);
            assertThat(request.arrival()).isEqualTo(new Arrival.AfterTurn(before.id(), 100));
            assertThat(request.promptTokens()).startsWith(before.promptTokens());
            assertThat(request.promptTokens().length - before.promptTokens().length - before.outputTokens())
                    .isBetween(5, 9);
        }
    }

    /// No cache holds them, and runs that are paired keep one load.
    @Test
    void variedPromptsOfAFileBeginWithALineOfTheirOwn() throws IOException {
        Path file = Files.writeString(folder.resolve("prompts.txt"), "one\nfour\n");
        WorkloadSpec plain = presets.find("short").withPromptFile(file.toString()).withRequests(5);
        WorkloadSpec varied = plain.withRefinements(plain.refinements().withVaryPrompts(true));
        Workload first = new WorkloadDraw(new Bytes(), new Seed(1)).draw(varied, 2, new Seed(7));
        Workload again = new WorkloadDraw(new Bytes(), new Seed(1)).draw(varied, 2, new Seed(7));
        Workload other = new WorkloadDraw(new Bytes(), new Seed(2)).draw(varied, 2, new Seed(7));
        List<String> texts = texts(first);
        assertThat(texts).extracting(text -> text.replaceFirst("(?s).*\n", "")).containsExactly("one", "four", "one",
                "four", "one");
        assertThat(texts(again)).isEqualTo(texts);
        assertThat(Stream.concat(texts.stream(), texts(other).stream()).map(text -> text.substring(0, 8)))
                .doesNotHaveDuplicates();
        assertThat(other.hash()).isEqualTo(first.hash());
        assertThat(first.measured()).extracting(request -> request.promptTokens().length).containsExactly(11, 12, 11,
                12, 11);
        assertThat(first.warmUp()).extracting(request -> request.promptTokens().length).containsExactly(11, 12);
        assertThat(WorkloadExtent.of(varied).longestPrompt()).isEqualTo(WorkloadExtent.of(plain).longestPrompt() + 8);
    }

    private static List<String> texts(Workload load) {
        return load.measured().stream().map(Request::promptText).toList();
    }

    @Test
    void aSessionEndsBeforeATurnThatWouldNotFit() throws IOException {
        WorkloadSpec spec =
                sessions("100", 0, 64).withLengths(LengthDistribution.parse("10"), LengthDistribution.parse("10"));
        List<Request> requests = draw.draw(spec.withRequests(8), 0, new Seed(1)).measured();
        assertThat(requests).extracting(request -> request.promptTokens().length).containsExactly(10, 30, 50, 10, 30,
                50, 10, 30);
        assertThat(WorkloadExtent.of(spec)).isEqualTo(new WorkloadExtent(63, 64));
        assertThat(WorkloadExtent
                .of(sessions("1..3", 0, 0).withLengths(LengthDistribution.parse("10"), LengthDistribution.parse("10"))))
                .isEqualTo(new WorkloadExtent(59, 60));
    }

    @Test
    void sessionsOfAnOpenLoopStartAtDrawnInstantsAndTheirTurnsFollow() throws IOException {
        WorkloadSpec spec = sessions("2", 50, 0).withArrivals(new ArrivalProcess.Constant(1)).withRequests(4);
        assertThat(draw.draw(spec, 0, new Seed(1)).measured()).extracting(Request::arrival).containsExactly(
                new Arrival.At(0), new Arrival.AfterTurn(new RequestId(0), 50), new Arrival.At(SECOND),
                new Arrival.AfterTurn(new RequestId(2), 50));
    }

    @Test
    void warmUpSessionsThinkNoTime() throws IOException {
        assertThat(draw.draw(sessions("2", 50, 0), 2, new Seed(1)).warmUp()).extracting(Request::arrival)
                .containsExactly(new Arrival.WhenFree(0), new Arrival.AfterTurn(new RequestId(0), 0));
    }

    @Test
    void warmUpAndMeasuredPromptsShareTheirPrefixes() throws IOException {
        WorkloadSpec one = presets.find("basic").withSharedPrefix(16).withRequests(300);
        WorkloadSpec spec = one.withRefinements(Refinements.NONE.withPrefixGroups(3));
        Workload workload = draw.draw(spec, 100, new Seed(5));
        List<List<Integer>> measured = prefixes(workload.measured());
        assertThat(measured.stream().distinct()).hasSize(3);
        assertThat(measured.stream().distinct().map(prefix -> measured.stream().filter(prefix::equals).count()))
                .allMatch(count -> count > 60);
        assertThat(prefixes(workload.warmUp()).stream().distinct())
                .containsExactlyInAnyOrderElementsOf(measured.stream().distinct().toList());
        assertThat(measured).contains(prefixes(draw.draw(one, 0, new Seed(5)).measured()).getFirst());
    }

    @Test
    void asManyRequestsAreGivenUpAsAskedAndWarmUpRequestsNever() throws IOException {
        DeadlineDistribution patience =
                new DeadlineDistribution(9 * SECOND, 0.2, new TimeDistribution.ExponentialTime(2 * SECOND));
        WorkloadSpec spec =
                presets.find("basic").withRequests(20_000).withRefinements(Refinements.NONE.withDeadlines(patience));
        Workload workload = draw.draw(spec, 50, new Seed(5));
        assertThat(workload.warmUp())
                .allMatch(request -> request.deadlines().equals(new RequestDeadlines(60 * SECOND, 0)));
        double[] givenUp = workload.measured().stream().mapToDouble(request -> request.deadlines().cancelAfterNanos())
                .filter(nanos -> nanos > 0).toArray();
        // Standard errors: 57 requests, 0.032 s.
        assertThat(givenUp.length).isBetween(3_830, 4_170);
        assertThat(Arrays.stream(givenUp).average().orElseThrow() / SECOND).isBetween(1.9, 2.1);
        assertThat(
                draw.draw(spec.withRefinements(Refinements.NONE), 50, new Seed(5)).measured().getLast().promptTokens())
                .isEqualTo(workload.measured().getLast().promptTokens());
    }

    @Test
    void anOpenLoopWithADurationHasTheRequestsThatComeWithinIt() throws IOException {
        WorkloadSpec spec = presets.find("basic").withRequests(0).withArrivals(new ArrivalProcess.Constant(10))
                .withRefinements(Refinements.NONE.withDuration(2 * SECOND));
        Workload workload = draw.draw(spec, 1, new Seed(1));
        assertThat(workload.measured()).hasSize(20);
        assertThat(workload.later()).isEmpty();
        assertThat(draw.draw(spec.withRequests(7), 1, new Seed(1)).measured()).hasSize(7);
    }

    @Test
    void aDurationAloneEndsAnOpenLoopHoweverManyRequestsCome() throws IOException {
        WorkloadSpec spec = presets.find("basic").withRequests(0).withArrivals(new ArrivalProcess.Constant(1_000_000))
                .withLengths(LengthDistribution.parse("1"), LengthDistribution.parse("1"))
                .withRefinements(Refinements.NONE.withDuration(2 * SECOND + SECOND / 100));
        assertThat(draw.draw(spec, 0, new Seed(1)).measured()).hasSize(2_010_000);
    }

    @Test
    void samplingKeepsTheAskedTokensAndChangesTheHash() throws IOException {
        WorkloadSpec warm = presets.find("basic").withRequests(2).withTemperature(0.5);
        WorkloadSpec limited = warm.withRefinements(warm.refinements().withTopK(40).withTopP(0.9));
        Workload all = draw.draw(warm, 0, new Seed(2));
        Workload few = draw.draw(limited, 0, new Seed(2));
        Sampling first = all.measured().getFirst().sampling();
        assertThat(first).isEqualTo(new Sampling(0.5, 0, 1, first.seed()));
        assertThat(few.measured().getFirst().sampling()).isEqualTo(new Sampling(0.5, 40, 0.9, first.seed()));
        assertThat(few.hash()).isNotEqualTo(all.hash());
        assertThat(limited.faults()).isEmpty();
        assertThat(limited.withTemperature(0).faults()).containsExactly(
                "top_k and top_p have no effect at temperature 0. Set temperature, or leave them out.");
    }

    @Test
    void numberOfAnswersIsDrawnAndChangesTheHash() throws IOException {
        WorkloadSpec warm = presets.find("basic").withRequests(2).withTemperature(0.5);
        WorkloadSpec four = warm.withRefinements(warm.refinements().withAnswers(4));
        Workload one = draw.draw(warm, 0, new Seed(2));
        Workload several = draw.draw(four, 0, new Seed(2));
        Request first = several.measured().getFirst();
        assertThat(first.sampling().answers()).isEqualTo(4);
        assertThat(first.allOutputTokens()).isEqualTo(4 * one.measured().getFirst().outputTokens());
        assertThat(several.hash()).isNotEqualTo(one.hash());
        assertThat(four.faults()).isEmpty();
        assertThat(four.withTemperature(0).faults()).containsExactly(
                "n needs a temperature: at temperature 0 all answers are equal. Set temperature, or leave n out.");
    }

    @Test
    void whatAClosedLoopDrawsWhileItRunsIsWhatItWouldHaveDrawnBefore() throws IOException {
        WorkloadSpec counted = sessions("1..4", 100, 0).withRequests(3_000).withTemperature(0.5);
        WorkloadSpec byClock = counted.withRequests(0).withRefinements(counted.refinements().withDuration(SECOND));
        Workload clocked = draw.draw(byClock, 3, new Seed(2));
        List<Request> drawn = new ArrayList<>(clocked.measured());
        for (Request request : clocked.later()) {
            if (drawn.size() == 3_000) {
                break;
            }
            drawn.add(request);
        }
        List<Request> before = draw.draw(counted, 3, new Seed(2)).measured();
        assertThat(drawn).extracting(Request::id).isEqualTo(before.stream().map(Request::id).toList());
        // The hash covers prompts, lengths, arrivals, patience and sampling.
        assertThat(new WorkloadHash().add(drawn).hex()).isEqualTo(new WorkloadHash().add(before).hex());
        Request again = clocked.later().iterator().next();
        assertThat(again.promptTokens()).isEqualTo(drawn.get(clocked.measured().size()).promptTokens());
        assertThat(clocked.hash()).isEqualTo(draw.draw(byClock, 3, new Seed(2)).hash()).isNotEqualTo(draw
                .draw(byClock.withRefinements(byClock.refinements().withDuration(2 * SECOND)), 3, new Seed(2)).hash());
    }

    @Test
    void equalBlockIdsOfATraceBecomeEqualTokens() throws IOException {
        Path file = file("""
                {"timestamp": 100, "input_length": 1030, "output_length": 9, "hash_ids": [1, 2, 3]}
                {"timestamp": 300, "input_length": 1536, "output_length": 7, "hash_ids": [1, 2, 4]}
                {"timestamp": 400, "input_length": 520, "output_length": 6, "hash_ids": [1, 3]}
                """);
        Workload workload = draw.draw(presets.find("trace:" + file + ",speed=2"), 1, new Seed(3));
        List<Request> requests = workload.measured();
        assertThat(requests).extracting(Request::arrival).containsExactly(new Arrival.At(0),
                new Arrival.At(100_000_000), new Arrival.At(150_000_000));
        assertThat(requests).extracting(Request::outputTokens).containsExactly(9, 7, 6);
        int[] first = requests.getFirst().promptTokens();
        int[] second = requests.get(1).promptTokens();
        assertThat(first).hasSize(1030);
        assertThat(second).hasSize(1536).startsWith(Arrays.copyOf(first, 1024));
        assertThat(Arrays.copyOfRange(first, 1024, 1030)).isNotEqualTo(Arrays.copyOfRange(second, 1024, 1030));
        // The last block of the third request, eight tokens long, begins like the six that the first one has of it.
        assertThat(requests.get(2).promptTokens()).hasSize(520).startsWith(Arrays.copyOf(first, 512));
        assertThat(Arrays.copyOfRange(requests.get(2).promptTokens(), 512, 518))
                .isEqualTo(Arrays.copyOfRange(first, 1024, 1030));
        // What warms the engine up does not warm its prefix cache.
        assertThat(workload.warmUp().getFirst().promptTokens()).hasSize(1030).isNotEqualTo(first);
    }

    @Test
    void windowLimitsAndFiltersOfATraceAreCountedAndSaid() throws IOException {
        Path file = file("""
                Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
                0,ChatGPT,5,5,10,API log
                10,GPT-4,5,0,5,API log
                11,GPT-4,100,9,109,API log
                12,ChatGPT,5,5,10,API log
                13,GPT-4,5,300,305,API log
                14,GPT-4,1,5,6,API log
                15,GPT-4,90,12,102,API log
                20,GPT-4,5,5,10,API log
                """);
        String options = ",from=10,to=20,model=gpt4,max_prompt=95,max_output=250,min_tokens=2,max_total=101";
        Workload clipped = draw.draw(presets.find("trace:" + file + options.replace("max_total=101", "max_total=300")),
                0, new Seed(3));
        assertThat(clipped.measured()).extracting(
                request -> request.promptTokens().length + "+" + request.outputTokens() + " " + request.arrival())
                .containsExactly("95+9 At[offsetNanos=1000000000]", "5+250 At[offsetNanos=3000000000]",
                        "90+12 At[offsetNanos=5000000000]");
        assertThat(clipped.notes()).containsExactly("6 requests of the trace read, 3 selected; 1 left out (failed);"
                + " 1 left out (other model); 1 left out (shorter than min_tokens); 2 cut to max_prompt or max_output.");
        assertThatThrownBy(
                () -> draw.draw(presets.find("trace:" + file + options + ",too_long=leave_out"), 0, new Seed(3)))
                .hasMessageContaining("No request is selected of 6 read.")
                .hasMessageContaining("2 left out (longer than max_prompt or max_output);")
                .hasMessageContaining("1 left out (longer than max_total).");
        assertThat(draw.draw(presets.find("trace:" + file + ",requests=2"), 0, new Seed(3)).measured()).hasSize(2);
        assertThat(draw
                .draw(presets.find("trace:" + file).withRefinements(
                        presets.find("trace:" + file).refinements().withDuration(11 * SECOND)), 0, new Seed(3))
                .measured()).hasSize(1);
    }

    @Test
    void conversationsAreAskedAsTextAndNeedArrivals() throws IOException {
        Path file = file("""
                [{"conversations": [{"value": "how are you"}, {"value": "fine"}]}, {"conversations": [{"value": "hm"}]},
                 {"conversations": [{"value": "and you?"}, {"value": "fine, too"}]}]""");
        WorkloadSpec spec = presets.find("trace:" + file + ",max_prompt=8");
        assertThatThrownBy(() -> draw.draw(spec, 0, new Seed(1))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no instants to replay");
        assertThatThrownBy(() -> WorkloadExtent.of(spec)).isInstanceOf(IOException.class)
                .hasMessageContaining("Choose arrivals such as");
        WorkloadSpec closed = spec.withArrivals(new ArrivalProcess.ClosedLoop(2));
        assertThat(draw.draw(closed, 0, new Seed(1)).measured()).extracting(
                request -> request.promptText() + "|" + request.promptTokens().length + "|" + request.outputTokens())
                .containsExactly("how are |8|4", "and you?|8|9");
        assertThat(WorkloadExtent.of(closed)).isEqualTo(new WorkloadExtent(8, 17));
        assertThatThrownBy(() -> draw.draw(presets.find("trace:" + file + ",from=3"), 0, new Seed(1)))
                .hasMessageContaining("Leave out from and to");
        assertThatThrownBy(() -> draw.draw(presets.find("trace:" + file + ",model=gpt4"), 0, new Seed(1)))
                .hasMessageContaining("name no model");
    }

    @Test
    void whatWarmsUpALoadOfTextIsOtherTextOfTheSameLengths() throws IOException {
        Path conversations = file("""
                [{"conversations": [{"value": "tell me of the sea"}, {"value": "fine"}]}, {"conversations": [{"value": "and of the hills"}, {"value": "ok"}]},
                 {"conversations": [{"value": "tell me of the sea"}, {"value": "again"}]}]""");
        warmsUpWithOtherText(presets.find("trace:" + conversations + ",max_prompt=17")
                .withArrivals(new ArrivalProcess.ClosedLoop(2)), List.of("17+4", "16+2", "17+5"));
        Path prompts = file("""
                tell me of the sea
                {"prompt": "and of the hills", "output_tokens": 7}
                tell me of the sea
                """);
        warmsUpWithOtherText(presets.find("prompts:" + prompts).withRequests(3), List.of("18+64", "16+7", "18+64"));
    }

    @Test
    void lengthsOfATraceCanArriveOtherwise() throws IOException {
        Path file = file(
                "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.97,3,4\r\n2023-11-16 18:17:04.97,5,6");
        assertThat(draw.draw(presets.find("trace:" + file).withArrivals(new ArrivalProcess.Constant(2)), 0, new Seed(1))
                .measured()).extracting(Request::arrival)
                .containsExactly(new Arrival.At(0), new Arrival.At(SECOND / 2));
        assertThat(new WorkloadExtents().of(presets.find("trace:" + file)))
                .isEqualTo(new WorkloadExtent(5, 11, new RecordedSpan(2, false, SECOND)));
    }

    @Test
    void rowsTimeAndRateOfATraceAreKnownBeforeTheRun() throws IOException {
        Path file = file("""
                {"timestamp": 0, "input_length": 10, "output_length": 5}
                {"timestamp": 1, "text_input": "ab", "output_length": 5}
                {"timestamp": 2, "input_length": 10, "output_length": 5}
                """);
        String trace = "trace:" + file;
        assertThat(span(presets.find(trace))).hasToString("3 requests over 2.00 ms, 1500 req/s | 3 requests over"
                + " 2.00 ms, 1500 req/s: the unit of its timestamps may be wrong. Check unit=s or unit=ms, and speed.");
        assertThat(span(presets.find(trace + ",unit=s"))).isEqualTo("3 requests over 2000 ms, 1.50 req/s | ");
        assertThat(span(presets.find(trace + ",unit=s,speed=2,requests=2"))).startsWith("2 requests over 500 ms, 4.00");
        assertThat(span(presets.find(trace + ",unit=s,from=1,requests=1"))).isEqualTo("1 request | ");
        WorkloadSpec spec = presets.find(trace + ",unit=s,speed=0.5");
        assertThat(span(spec.withRefinements(spec.refinements().withDuration(3 * SECOND))))
                .startsWith("2 requests over 2000 ms, 1.00");
        assertThat(WorkloadExtent.of(spec.withArrivals(new ArrivalProcess.Constant(2))).replayed()).isNull();
    }

    @Test
    void turnsOfATraceAskTheConversationAfterTheirDelay() throws IOException {
        Path file = file("""
                {"session_id": "a", "timestamp": 0, "input_length": 6, "output_length": 5}
                {"session_id": "a", "delay": 500, "input_length": 3, "output_length": 4}
                {"session_id": "a", "delay": 20, "input_length": 2, "output_length": 4}
                {"session_id": "b", "timestamp": 1000, "input_length": 1, "output_length": 3}
                {"session_id": "b", "delay": 10, "input_length": 900, "output_length": 3}
                {"session_id": "b", "delay": 10, "input_length": 9, "output_length": 3}
                """);
        WorkloadSpec spec = presets.find("trace:" + file + ",sessions=true,speed=2,max_total=99");
        Workload workload = draw.draw(spec, 2, new Seed(3));
        List<Request> requests = workload.measured();
        assertThat(requests).extracting(request -> request.promptTokens().length + " " + request.arrival())
                .containsExactly("6 At[offsetNanos=0]", "14 AfterTurn[previous=2, thinkNanos=500000000]",
                        "20 AfterTurn[previous=3, thinkNanos=20000000]", "1 At[offsetNanos=500000000]");
        assertThat(requests.get(1).promptTokens()).startsWith(requests.getFirst().promptTokens());
        assertThat(requests.get(2).promptTokens()).startsWith(requests.get(1).promptTokens());
        assertThat(workload.warmUp()).extracting(Request::arrival).containsExactly(new Arrival.WhenFree(0),
                new Arrival.AfterTurn(new RequestId(0), 0));
        assertThat(workload.notes()).containsExactly("6 requests of the trace read, 4 selected;"
                + " 1 left out (longer than max_total); 1 left out (after a turn that was left out).");
        assertThat(WorkloadExtent.of(spec))
                .isEqualTo(new WorkloadExtent(20, 24, new RecordedSpan(2, true, SECOND / 2)));
        assertThat(span(spec)).isEqualTo("2 sessions over 500 ms, 4.00 sessions/s | ");
        assertThat(LoadKind.of(spec).sessions()).isTrue();
        assertThat(LoadKind.of(presets.find("trace:" + file)).sessions()).isFalse();
    }

    private static String span(WorkloadSpec spec) throws IOException {
        RecordedSpan span = WorkloadExtent.of(spec).replayed();
        return span == null ? "" : span.text() + " | " + span.warning().orElse("");
    }

    @Test
    void textAndLengthsOfOneTraceAreDrawnAtTheirInstants() throws IOException {
        Path file = file("""
                {"timestamp": 0, "text_input": "how are you", "output_length": 5}
                {"timestamp": 7, "input_length": 3}
                {"timestamp": 9, "text_input": "", "output_length": 5}
                """);
        Workload workload = draw.draw(presets.find("trace:" + file + ",output=6,max_prompt=8"), 1, new Seed(1));
        assertThat(workload.measured())
                .extracting(request -> request.promptText() + "|" + request.promptTokens().length + "|"
                        + request.outputTokens() + "|" + request.arrival())
                .containsExactly("how are |8|5|At[offsetNanos=0]", "null|3|6|At[offsetNanos=7000000]");
        assertThat(workload.notes()).containsExactly("3 requests of the trace read, 2 selected;"
                + " 1 left out (shorter than min_tokens); 1 cut to max_prompt or max_output.");
    }

    @Test
    void aFileThatChangedIsMeasuredAgain() throws IOException {
        WorkloadExtents extents = new WorkloadExtents();
        WorkloadSpec spec = presets.find("prompts:" + file("short"));
        assertThat(extents.of(spec)).isEqualTo(new WorkloadExtent(5, 69));
        file("longer now");
        assertThat(extents.of(spec)).isEqualTo(new WorkloadExtent(10, 74));
        file("{\"prompt\": \"ab\", \"output_tokens\": 500}");
        assertThat(extents.of(spec)).isEqualTo(new WorkloadExtent(2, 502));
    }

    @Test
    void timesAreWrittenAsTheyAreReadAndStayWithinADay() {
        for (String text : List.of("2000000000ns", "exponential(500000000ns)", "lognormal(2000000000ns, 0.8)")) {
            assertThat(TimeDistribution.parse(text)).hasToString(text);
        }
        assertThat(TimeDistribution.parse("1.5")).isEqualTo(new TimeDistribution.FixedTime(1_500_000_000));
        for (String text : List.of("", "2 days", "-1s", "lognormal(2s)", "exponential(48h)", "25h",
                "lognormal(2s, 1e9)")) {
            assertThatThrownBy(() -> TimeDistribution.parse(text)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a duration");
        }
        TimeDistribution wild = TimeDistribution.parse("lognormal(23h, 999)");
        var random = new Seed(1).generator();
        assertThat(java.util.stream.LongStream.range(0, 1_000).map(i -> wild.drawNanos(random)))
                .allMatch(nanos -> nanos >= 0 && nanos <= TimeDistribution.LONGEST_NANOS);
    }

    private WorkloadSpec sessions(String turns, long thinkNanos, int most) {
        return presets.find("basic").withRefinements(Refinements.NONE.withSessions(
                new Sessions(LengthDistribution.parse(turns), new TimeDistribution.FixedTime(thinkNanos), most)));
    }

    private void warmsUpWithOtherText(WorkloadSpec spec, List<String> lengths) throws IOException {
        Workload workload = draw.draw(spec, 3, new Seed(4));
        assertThat(lengths(workload.warmUp())).isEqualTo(lengths(workload.measured())).isEqualTo(lengths);
        List<String> asked = workload.measured().stream().map(Request::promptText).toList();
        List<String> warming = workload.warmUp().stream().map(Request::promptText).toList();
        // Not even their beginnings are known to a prefix cache afterwards.
        assertThat(warming).noneMatch(text -> asked.stream().anyMatch(other -> other.startsWith(text.substring(0, 4))));
        assertThat(warming).isEqualTo(
                workload.warmUp().stream().map(request -> new Bytes().decode(request.promptTokens())).toList());
        assertThat(warming.get(2)).isEqualTo(warming.get(0)).isNotEqualTo(warming.get(1));
        assertThat(new WorkloadHash().add(workload.measured()).hex())
                .isEqualTo(new WorkloadHash().add(draw.draw(spec, 0, new Seed(4)).measured()).hex());
    }

    private static List<String> lengths(List<Request> requests) {
        return requests.stream().map(request -> request.promptTokens().length + "+" + request.outputTokens()).toList();
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("file"), content);
    }

    private static List<List<Integer>> prefixes(List<Request> requests) {
        return requests.stream().map(request -> Arrays.stream(request.promptTokens()).limit(16).boxed().toList())
                .toList();
    }

    private static final class Bytes implements Tokenizer {
        @Override
        public int[] encode(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int[] tokens = new int[bytes.length];
            Arrays.setAll(tokens, i -> bytes[i] & 0xff);
            return tokens;
        }

        @Override
        public String decode(int[] tokens) {
            StringBuilder text = new StringBuilder();
            Arrays.stream(tokens).forEach(token -> text.append((char) token));
            return text.toString();
        }

        @Override
        public int vocabulary() {
            return 256;
        }
    }
}
