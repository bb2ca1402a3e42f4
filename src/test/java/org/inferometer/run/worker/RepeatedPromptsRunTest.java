package org.inferometer.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RepeatedPrompts;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.Selection;
import org.inferometer.record.Figure;
import org.inferometer.record.RunRecord;
import org.inferometer.record.SamplePlans;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.SampleRecords;
import org.inferometer.run.InstantBackend;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.target.http.HttpTargetKind;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Prompts of a file at a chat server that remembers them, and with a line of their own.
@Timeout(60)
class RepeatedPromptsRunTest {
    private static final List<String> PROMPTS = List.of("first one", "second one", "third one");

    private final JsonMapper json = JsonMapper.builder().build();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<RunRecord> runs = new ArrayList<>();
    private final ResultFiles store = new ResultFiles();
    private HttpServer server;

    @TempDir
    Path folder;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/v1/models",
                exchange -> reply(exchange, "application/json", "{\"data\":[{\"id\":\"m\"}]}"));
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    /// Counts a prompt that it has heard as cached, and says nothing of others.
    private void answer(HttpExchange exchange) throws IOException {
        JsonNode asked = json.readTree(exchange.getRequestBody().readAllBytes());
        String prompt = asked.path("messages").path(0).path("content").stringValue();
        int tokens = prompt.split("\\s+").length;
        String cached = heard.contains(prompt) ? ",\"prompt_tokens_details\":{\"cached_tokens\":" + tokens + "}" : "";
        heard.add(prompt);
        reply(exchange, "text/event-stream", """
                data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"length"}]}

                data: {"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":1%s}}

                data: [DONE]

                """.formatted(tokens, cached));
    }

    private static void reply(HttpExchange exchange, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void run(boolean varied) throws IOException {
        Path prompts = Files.writeString(folder.resolve("prompts.txt"), String.join("\n", PROMPTS));
        LengthDistribution one = LengthDistribution.parse("1");
        WorkloadSpec load = new WorkloadPresets().find("short").withPromptFile(prompts.toString()).withRequests(12)
                .withLengths(one, one);
        Selection target = Selection.parse(
                "http:url=http://127.0.0.1:" + server.getAddress().getPort() + "/v1/chat/completions,metrics=off");
        Cell cell =
                new Cell(new TargetSubject(target), load.withRefinements(load.refinements().withVaryPrompts(varied)));
        Path record = folder.resolve("run-" + runs.size());
        new RunExecution(SchedulerRegistry.standard(), new Backends(List.of(new InstantBackend())),
                new TargetKinds(List.of(new HttpTargetKind(name -> Optional.empty()))), store, SampleRecords.MACHINE,
                new SystemClock())
                .execute(SamplePlans.plan("x", runs.size(), 0, cell, 0, "", record.toString(), 0, 1, 20, 0,
                        new Limits(0, 0, 0), LaneLayout.sharing(1)), frame -> {}, new AtomicBoolean());
        runs.add(store.readRun(record));
    }

    private Optional<Double> hits(int run) {
        return RunFigures.find(RunFigures.of(runs.get(run).observations()), Metrics.PREFIX_HIT_RATE).map(Figure::value);
    }

    @Test
    void repeatsAndCachedTokensAreCountedAndVariedPromptsAreNew() throws IOException {
        run(false);
        run(false);
        run(true);
        run(true);
        assertThat(RepeatedPrompts.of(runs).values()).extracting(Figure::value).containsExactly(9.0, 12.0, 0.0, 0.0);
        assertThat(List.of(hits(0), hits(1), hits(2), hits(3))).containsExactly(Optional.of(0.75), Optional.of(1.0),
                Optional.empty(), Optional.empty());
        assertThat(heard.subList(0, 24)).containsOnly(PROMPTS.toArray(String[]::new));
        assertThat(heard.subList(24, 48)).doesNotHaveDuplicates()
                .allSatisfy(prompt -> assertThat(PROMPTS).contains(prompt.replaceFirst("[^\n]*\n", "")));
        // Paired runs have one load, whatever their lines are.
        assertThat(runs).extracting(run -> run.manifest().workloadHash())
                .satisfies(hashes -> assertThat(hashes.get(2)).isEqualTo(hashes.get(3)).isNotEqualTo(hashes.get(0)));
    }
}
