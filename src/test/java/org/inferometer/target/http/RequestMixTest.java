package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.options.Selection;
import org.inferometer.target.Target;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.StopRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(20)
class RequestMixTest {
    private static final String MODELS = "{\"data\":[{\"id\":\"tiny\"},{\"id\":\"lora-a\"},{\"id\":\"lora-b\"}]}";
    private final JsonMapper json = new JsonMapper();

    private static RequestMix mix(String options) throws Exception {
        return new RequestMix(HttpSettings.read(Selection.parse("http:url=a.test," + options), name -> Optional.empty())
                .extras().mix());
    }

    private static Request drawn(int id, int salt, Arrival arrival) {
        return new Request(new RequestId(id), new int[]{salt, id, 7}, StopRule.length(1), arrival, Sampling.GREEDY,
                RequestDeadlines.NONE, null);
    }

    private static List<String> kinds(RequestMix mix, int salt) {
        return IntStream.range(0, 4000).mapToObj(i -> mix.of(drawn(i, salt, new Arrival.WhenFree(0))).name()).toList();
    }

    /// Of 4,000 requests 1,000 are expected to be of the first kind, with a standard deviation of 27.
    @Test
    void sharesAreMetAndEqualLoadsAreDividedAlike() throws Exception {
        List<String> kinds = kinds(mix("mix.a=1,mix.b=3"), 5);
        Map<String, Long> counts = kinds.stream().collect(Collectors.groupingBy(kind -> kind, Collectors.counting()));
        assertThat(counts.keySet()).containsExactlyInAnyOrder("a", "b");
        assertThat(counts.get("a")).isBetween(890L, 1110L);
        assertThat(kinds(mix("mix.a=0.25,mix.b=0.75,vary_prompts=false"), 5)).isEqualTo(kinds);
        assertThat(kinds(mix("mix.a=1,mix.b=3"), 6)).isNotEqualTo(kinds);
    }

    @Test
    void allTurnsOfASessionAreOfOneKind() throws Exception {
        RequestMix mix = mix("mix.a=1,mix.b=1");
        for (int first = 0; first < 300; first += 3) {
            String kind = mix.of(drawn(first, 5, new Arrival.WhenFree(0))).name();
            for (int turn = first + 1; turn < first + 3; turn++) {
                assertThat(mix.of(drawn(turn, 5, new Arrival.AfterTurn(new RequestId(turn - 1), 0))).name())
                        .isEqualTo(kind);
            }
        }
    }

    @Test
    void eachKindSendsItsModelAndFieldsAndIsTold() throws Exception {
        RecordingListener account = new RecordingListener(40);
        String options =
                "metrics=off,model=tiny,body.seed_text=x,mix.sql.model=lora-a,mix.sql=1,mix.plain=1,mix.json=1,"
                        + "mix.json.body.response_format.type=json_object,mix.json.body.seed_text=y";
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").finish(3, 1))
                .get("/v1/models", (asked, wire) -> wire.json(200, MODELS));
                Target target = Servers.open(server, account, options)) {
            for (int i = 0; i < 40; i++) {
                target.send(drawn(i, 5, new Arrival.WhenFree(0)));
                account.await(i);
                JsonNode body = json.readTree(server.heard.getLast().body());
                String sent = body.path("model").stringValue() + " " + body.path("response_format") + " "
                        + body.path("seed_text").stringValue();
                assertThat(sent).isEqualTo(switch (account.variants.getOrDefault(i, "")) {
                    case "sql" -> "lora-a  x";
                    case "plain" -> "tiny  x";
                    case "json" -> "tiny {\"type\":\"json_object\"} y";
                    default -> "";
                });
            }
        }
        assertThat(account.variants.values()).contains("sql", "plain", "json");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"mix.a=0 | mix.a: a share is a number above 0, such as 0.3.",
            "mix.a=NaN | mix.a: a share is a number above 0, such as 0.3.",
            "mix.a.model=x | mix.a.model: this kind has no share. Add mix.a=1.",
            "mix.a=1,mix.a.header.x=1 | mix.a.header.x: a kind has model and body.PATH.",
            "mix.a=1,mix.a.body.model=x | mix.a.body.model: the program writes model itself.",
            "mix.a=1,mix.a.body.x=env:GONE | mix.a.body.x: the variable GONE is not set. Set it, or write it into .env in the workspace.",
            "mix.a b=1 | mix.a b: this is no name."})
    void kindsThatCannotBeSentAreRefused(String options, String fault) {
        assertThat(new HttpTargetKind(name -> Optional.empty()).faults(Selection.parse("http:url=a.test," + options)))
                .containsExactly("http: " + fault);
    }

    @Test
    void aModelThatTheServerLacksIsRefusedBeforeTheRun() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/v1/models",
                (asked, wire) -> wire.json(200, MODELS))) {
            assertThat(catchThrowable(() -> Servers.open(server, new RecordingListener(0),
                    "mix.a=1,mix.a.model=lora-a,mix.b=1,mix.b.model=lora-c")))
                    .hasMessageStartingWith("The server has no such model. ");
        }
    }
}
