package org.inferometer.target.edgellm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class BenchToolTest {
    private static final String HEADER = "mode,batch_size,osl,e2e_time_ms,per_token_ms,throughput_tps";

    @TempDir
    private Path folder;

    private FakeTools tools;

    @BeforeEach
    void fakeTools() throws Exception {
        tools = new FakeTools(folder);
    }

    @Test
    void prefillAndDecodeComeFromTheirTables() throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        try (Target target = tools.open(tables("0.0040,0.0020,0.5,2", "0.0060,0.0030,0.3,2"), ledger, "mode=bench")) {
            target.send(EdgeLlmTargetTest.request(0, null, 3));
            ledger.complete();
        }
        List<Long> instants = ledger.instants.get(0);
        assertThat(instants.getFirst()).isLessThan(instants.get(1));
        assertThat(instants.stream().skip(1).map(nanos -> nanos - instants.get(1))).containsExactly(0L, 4_000L,
                10_000L);
        assertThat(ledger.counts).isEqualTo(Map.of(0, new TokenCounts(2, 3, TokenSource.PROFILE)));
        assertThat(tools.calls().stream().map(call -> call.replaceAll("\\S*/inferometer-edgellm-\\d+/", "TMP/")))
                .containsExactly(
                        "--engineDir " + tools.engine()
                                + " --mode prefill --batchSize 1 --warmup 2 --outputDir TMP/prefill --inputLen 2",
                        "--engineDir " + tools.engine()
                                + " --mode decode --batchSize 1 --warmup 2 --outputDir TMP/decode --pastKVLen 2 --osl 3");
    }

    @Test
    void tablesOfEveryVersionCountStepsAfterTheFirstToken() throws Exception {
        assertThat(decodeNanos("0.0090,0.0030,0.3,2")).isEqualTo(6_000);
        assertThat(decodeNanos("0.0030,0.0030,0.3,2")).isEqualTo(6_000);
    }

    @Test
    void requestsOfOtherLengthsHaveProcessesOfTheirOwn() throws Exception {
        TargetEventLog ledger = new TargetEventLog(3);
        try (Target target =
                tools.open(tables("0.0040,0.0020,0.5,2", "0.0060,0.0030,0.3,2"), ledger, "mode=bench,batch_size=4")) {
            target.send(EdgeLlmTargetTest.request(0, null, 3));
            target.send(EdgeLlmTargetTest.request(1, new int[]{4, 5, 6}, null, 3));
            target.send(EdgeLlmTargetTest.request(2, null, 3));
            target.arrivalsEnded();
            ledger.complete();
        }
        TokenCounts two = new TokenCounts(2, 3, TokenSource.PROFILE);
        assertThat(ledger.counts).isEqualTo(Map.of(0, two, 1, new TokenCounts(3, 3, TokenSource.PROFILE), 2, two));
        assertThat(tools.calls().stream().map(call -> call.replaceAll(".*--mode (\\w+) --batchSize (\\d).*", "$1 $2")))
                .containsExactly("prefill 2", "decode 2", "prefill 1", "decode 1");
    }

    @Test
    void tablesThatAreMissingOrBrokenAreFailures() throws Exception {
        assertThat(failure("true\n"))
                .isEqualTo("llm_bench wrote no table e2e_prefill*.csv. Check that its version supports --outputDir.");
        assertThat(failure(tables("0.0040,0.0020,0.5,2,9", "0.0060,0.0030,0.3,2")))
                .isEqualTo("The prefill table of llm_bench has 7 columns and a row of 8.");
        assertThat(failure(tables("0.0040,0.0020,0.5,2", "nan,0.0030,0.3,2")))
                .isEqualTo("The decode table of llm_bench has no usable e2e_time_ms: \"nan\".");
        assertThat(failure(tables("-1,0.0020,0.5,2", "0.0060,0.0030,0.3,2")))
                .isEqualTo("The prefill table of llm_bench has no usable e2e_time_ms: \"-1\".");
        assertThat(failure(tables("0.0040,0.0020,0.5,2", "0.0060,0.0001,0.3,2")))
                .isEqualTo("The decode table of llm_bench is about 60 steps; 2 were requested.");
        assertThat(failure(tables("0.0040,0.0020,0.5,2", "0.0060,0.0030,0.3,2").replace("e2e_time_ms", "time")))
                .isEqualTo("The prefill table of llm_bench has no usable e2e_time_ms: there is no such column.");
        assertThat(failure(": > \"$tables/e2e_${mode}_x.csv\"\n"))
                .isEqualTo("The prefill table of llm_bench has 0 lines; expected a header and one row.");
    }

    private long decodeNanos(String decode) throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        try (Target target = tools.open(tables("0.0040,0.0020,0.5,2", decode), ledger, "mode=bench")) {
            target.send(EdgeLlmTargetTest.request(0, null, 3));
            ledger.complete();
        }
        List<Long> instants = ledger.instants.get(0);
        return instants.get(3) - instants.get(2);
    }

    private String failure(String script) throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        try (Target target = tools.open(script, ledger, "mode=bench")) {
            target.send(EdgeLlmTargetTest.request(0, null, 3));
            ledger.complete();
        }
        assertThat(ledger.ends).isEqualTo(Map.of(0, RequestStatus.FAILED));
        return String.valueOf(ledger.reasons.get(0));
    }

    /// Shell that writes the table of the mode it is asked for.
    private static String tables(String prefill, String decode) {
        return "if [ $mode = prefill ]; then\ncat > \"$tables/e2e_prefill_inputlen2.csv\" <<'END'\n" + HEADER
                + ",input_len\nprefill,1,1," + prefill
                + "\nEND\nelse\ncat > \"$tables/e2e_decode_pastkvlen2.csv\" <<'END'\n" + HEADER
                + ",past_kv_len\ndecode,1,3," + decode + "\nEND\nfi\n";
    }
}
