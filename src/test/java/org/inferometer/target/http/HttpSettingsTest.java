package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.target.WordTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpSettingsTest {
    @ParameterizedTest
    @CsvSource({"http://localhost:8000, http://localhost:8000, NONE", "localhost:8000, http://localhost:8000, NONE",
            "http://localhost:8000/, http://localhost:8000, NONE",
            "http://localhost:8000/v1, http://localhost:8000, NONE",
            "http://localhost:8000/v1/completions, http://localhost:8000, COMPLETIONS",
            "http://localhost:8000/v1/chat/completions/, http://localhost:8000, CHAT",
            "https://gate.test/team/v1, https://gate.test, NONE", "http://0.0.0.0:8000, http://127.0.0.1:8000, NONE",
            "'http://[::1]:8000/v1', 'http://[::1]:8000', NONE", "HTTP://a.test, http://a.test, NONE"})
    void addressesAreReadHoweverPeopleWriteThem(String text, String base, ServerUrl.Endpoint endpoint) {
        ServerUrl url = ServerUrl.parse(text);
        String path = text.contains("team") ? "/team" : "";
        assertThat(url.toString()).isEqualTo(base + path);
        assertThat(url.endpoint()).isEqualTo(endpoint);
        assertThat(url.path("completions")).isEqualTo(path + "/v1/completions");
    }

    /// Azure's deployments have no /v1; other APIs are not spoken, and asking them for completions would only fail later.
    @Test
    void anAddressMayNameAnEndpointElsewhere() {
        ServerUrl azure = ServerUrl.parse("https://x.test/openai/deployments/four/chat/completions");
        assertThat(azure.path("chat/completions")).isEqualTo("/openai/deployments/four/chat/completions");
        assertThat(azure.version()).isEmpty();
        for (String other : List.of("/v1/responses", "/v1/messages", "/api/chat", "/api/generate",
                "/generate_stream")) {
            assertThatThrownBy(() -> ServerUrl.parse("http://a.test" + other))
                    .hasMessageContaining("is not spoken here");
        }
    }

    @Test
    void headersQueryAndFieldsAreAddedAndSecretsStayInTheirVariables() throws Exception {
        HttpSettings settings =
                HttpSettings.read(Selection.parse("http:url=a.test,header.X-Team=red,header.api-key=env:K"
                        + ",query.api-version=2024-10-21,body.chat_template_kwargs.enable_thinking=false"
                        + ",body.guided={\"a\": 1},body.user=me"), name -> Optional.of("topsecret-value-77"));
        RequestExtras extras = settings.extras();
        assertThat(extras.headers()).isEqualTo(Map.of("X-Team", "red", "api-key", "topsecret-value-77"));
        assertThat(extras.query()).isEqualTo("?api-version=2024-10-21");
        assertThat(extras.body()).hasToString(
                "{\"chat_template_kwargs\":{\"enable_thinking\":false},\"guided\":{\"a\":1},\"user\":\"me\"}");
        assertThat(settings.key().removedFrom("no topsecret-value-77 here")).isEqualTo("no *** here");
        assertThat(settings.variables()).contains("K");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"header.Host=a | header.Host: the program writes this header itself.",
            "header.a b=1 | header.a b: this is no name.",
            "header.api-key=abc | header.api-key: a secret would be recorded. Name its variable: header.api-key=env:NAME.",
            "body.stream=true | body.stream: the program writes stream itself.",
            "body.a=1,body.a.b=2 | body.a.b: a has a value of its own.",
            "body.a={ | body.a: the value is not valid JSON.",
            "query.code=env:GONE | query.code: the variable GONE is not set. Set it, or write it into .env in the workspace."})
    void additionsThatCannotBeSentAreRefused(String option, String fault) {
        assertThat(kind(Map.of()).faults(Selection.parse("http:url=a.test," + option)))
                .containsExactly("http: " + fault);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:hunter2@a.test", "http://hunter2@a.test", "http://a.test/?key=hunter2",
            "http://a.test/#hunter2", "http://a b/hunter2", "ftp://hunter2", "http:///hunter2",
            "http://a.test:99999/hunter2", "http://me:hunter2@a_b:x", "http://"})
    void invalidAddressesAreRefusedWithoutRepeatingSecrets(String text) {
        for (String option : List.of("url=" + text, "url=a.test,metrics=" + text, "url=a.test,gpu_metrics=" + text)) {
            assertThat(kind(Map.of()).faults(Selection.parse("http:" + option))).singleElement().satisfies(
                    fault -> assertThat(fault).startsWith("http: The url ").doesNotContain("hunter2").endsWith("."));
        }
    }

    @Property(tries = 2000)
    void anyAddressIsTakenOrRefusedInOneSentence(@ForAll String text) {
        try {
            assertThat(ServerUrl.parse(text).toString()).startsWith("http");
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("The url ").hasNoCause();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {"/v1/responses | the Responses API", "/v1/messages/ | Anthropic's messages API",
                    "/api/chat | Ollama's chat API", "/api/generate | Ollama's generate API",
                    "/generate_stream | the generate API of TGI and Triton",
                    "/generate | the generate API of TGI, SGLang and Triton",
                    "/v2/models/x/generate | the generate API of TGI, SGLang and Triton",
                    "/v1beta/models/g:streamGenerateContent | Google's API", "/v1/embeddings | an API of embeddings",
                    "/v1/rerank | an API of scores", "/v1/audio/transcriptions | an API of audio"})
    void addressesOfOtherApisAreRefusedInOneSentence(String path, String api) {
        assertThat(kind(Map.of()).faults(Selection.parse("http:url=http://a.test:8000" + path)))
                .containsExactly("http: The url names " + api + ", which is not spoken here."
                        + " Give the server's address for completions or chat, such as http://127.0.0.1:8000.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpus=0", "gpu_metrics=b.test,gpus=a", "gpu_metrics=b.test,gpus=0+",
            "gpu_metrics=b.test,gpus=-1"})
    void gpusAreIndicesOnThePageOfAnExporter(String options) {
        assertThat(kind(Map.of()).faults(Selection.parse("http:url=a.test," + options)))
                .containsExactly("http: gpus takes indices of the GPUs at gpu_metrics, such as 0+1.");
    }

    @Test
    void anExporterWithoutPathIsReadAtItsUsualOne() throws Exception {
        assertThat(read("http:url=a.test,gpu_metrics=b.test:9400,gpus=0+1", Map.of()).gpuUrl())
                .hasToString("http://b.test:9400/metrics");
    }

    @Test
    void theEnvironmentFillsInWhatIsNotGiven() throws Exception {
        Map<String, String> environment = Map.of("LLM_MODEL", "gpt2", "VLLM_ENDPOINT",
                "http://localhost:8001/v1/completions", "VLLM_HOST", "0.0.0.0", "VLLM_PORT", "8002");
        assertThat(read("http", environment)).extracting("url", "model").hasToString("[http://localhost:8001, gpt2]");
        assertThat(read("http:url=b.test,model=x", environment)).extracting("url", "model")
                .hasToString("[http://b.test, x]");
        assertThat(read("http", Map.of("VLLM_HOST", "0.0.0.0", "VLLM_PORT", "8002")).url())
                .hasToString("http://127.0.0.1:8002");
        assertThat(read("http", Map.of()).url()).hasToString("http://127.0.0.1:8000");
        assertThat(read("http", Map.of()).label()).isEqualTo("127.0.0.1:8000");
    }

    @Test
    void anEndpointOfChatChoosesChatUnlessToldOtherwise() throws Exception {
        assertThat(read("http", Map.of("VLLM_ENDPOINT", "http://a.test/v1/chat/completions")).chat()).isTrue();
        assertThat(read("http:url=http://a.test/v1/chat/completions,api=completions", Map.of()).chat()).isFalse();
    }

    @Test
    void theKeyIsNamedAndNeverShown() throws Exception {
        HttpSettings settings = read("http:api_key_env=MY_KEY", Map.of("MY_KEY", "sk-secret"));
        assertThat(settings.key().header()).contains("Bearer sk-secret");
        assertThat(settings.toString()).doesNotContain("sk-secret").contains("the key in MY_KEY");
        assertThat(kind(Map.of()).faults(Selection.parse("http:api_key_env=MY_KEY")))
                .containsExactly("http: The environment variable MY_KEY of api_key_env is not set."
                        + " Set it, or write it into .env in the workspace.");
        assertThat(kind(Map.of()).faults(Selection.parse("http:api_key_env=sk-secret"))).containsExactly(
                "http: api_key_env takes the NAME of an environment variable (A to Z, 0 to 9, _), not the key.");
        assertThat(kind(Map.of("MY_KEY", "a\nb")).faults(Selection.parse("http:api_key_env=MY_KEY")))
                .containsExactly("http: The environment variable MY_KEY has characters that are invalid in a key.");
    }

    @Test
    void everyFaultIsToldAtOnce() {
        assertThat(kind(Map.of()).faults(Selection
                .parse("http:url=ftp://x,api_key_env=NOT_SET,insecure=true,ca_file=a.pem,api=chat,prompt=tokens")))
                .containsExactly(
                        "http: The url starts with neither http:// nor https://. Write one like http://127.0.0.1:8000.",
                        "http: The environment variable NOT_SET of api_key_env is not set."
                                + " Set it, or write it into .env in the workspace.",
                        "http: insecure=true accepts any certificate and excludes ca_file. Give one of the two.",
                        "http: prompt=tokens needs api=completions; chat takes text only.");
        assertThat(kind(Map.of()).faults(Selection.parse("http:timeuot=3,connections=0"))).hasSize(2);
        assertThat(kind(Map.of()).faults(Selection.parse("http:url=http://a.test:8000/v1"))).isEmpty();
    }

    @Test
    void settingsThatHaveFaultsAreNeverUsed() {
        assertThatThrownBy(() -> kind(Map.of()).configure(Selection.parse("http:connections=0")))
                .isInstanceOf(OptionException.class);
    }

    @Test
    void theWordsOfAPromptFollowFromItsIdsAlone() throws Exception {
        WordTokenizer words =
                (WordTokenizer) kind(Map.of()).configure(Selection.parse("http:vocabulary=1000")).tokenizer();
        assertThat(words.vocabulary()).isEqualTo(1000);
        assertThat(words.decode(new int[]{0, 1, 2, 0})).isEqualTo("the of and the");
        assertThat(Arrays.stream(words.encode(" why  not\nthis? ")).boxed()).hasSize(3)
                .allMatch(id -> id >= 0 && id < 1000);
    }

    private static HttpSettings read(String selection, Map<String, String> environment) throws OptionException {
        return HttpSettings.read(Selection.parse(selection), name -> Optional.ofNullable(environment.get(name)));
    }

    private static HttpTargetKind kind(Map<String, String> environment) {
        return new HttpTargetKind(name -> Optional.ofNullable(environment.get(name)));
    }
}
