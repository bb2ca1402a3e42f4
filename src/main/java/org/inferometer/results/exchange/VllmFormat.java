package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestOutcome;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// vLLM's benchmarks: `serve --save-result`, also of embeddings (one object per run, one per line in append mode; summaries in
/// milliseconds, the arrays of `--save-detailed` in seconds), `throughput --output-json`, and `.pytorch.json` of both.
final class VllmFormat {
    static final ForeignFormat FORMAT =
            new ForeignFormat("vllm", VllmFormat::fits, ForeignFormat.SEVERAL, VllmFormat::read);
    private static final Set<String> ENGINE =
            Set.of("max_num_seqs", "tensor_parallel_size", "dtype", "quantization", "kv_cache_dtype");
    private static final Set<String> LENGTHS = Set.of("input_len", "output_len", "num_prompts", "num_requests");
    private static final List<FigureField> SERVING = Stream
            .of(FigureField.ofServing("total_token_throughput"), Speculation.VLLM,
                    List.of(new FigureField("request_goodput", Metrics.GOODPUT, 1),
                            new FigureField("%s_ttft_ms", Metrics.SERVICE_TTFT, Summary.MS),
                            new FigureField("%s_tpot_ms", Metrics.TPOT, Summary.MS),
                            new FigureField("%s_itl_ms", Metrics.INTER_CHUNK, Summary.MS),
                            new FigureField("%s_e2el_ms", Metrics.SERVICE_E2E, Summary.MS)))
            .flatMap(List::stream).toList();
    private static final List<FigureField> OFFLINE =
            List.of(new FigureField("requests_per_second", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("tokens_per_second", Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField("elapsed_time", Metrics.WINDOW, Summary.SECONDS),
                    new FigureField("num_requests", Metrics.REQUESTS_OK, 1));
    private static final Set<Metric> NOT_OF_REQUESTS =
            Set.of(Metrics.GOODPUT, Metrics.SERVER_ACCEPTANCE, Metrics.SERVER_ACCEPTANCE_LENGTH);

    private VllmFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && file.documents().stream()
                .allMatch(run -> isServing(run) || run.path("metric").has("benchmark_values") || isOffline(run));
    }

    /// Generation counts output tokens; embeddings have none and only an end.
    private static boolean isServing(JsonNode run) {
        return run.has("completed") && !run.has("mean_e2e_latency_ms")
                && (run.has("total_output_tokens") || run.has("total_input_tokens"));
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        List<ForeignRun> runs = new ArrayList<>();
        for (JsonNode document : records(file)) {
            ForeignFields run = new ForeignFields(file, "run " + runs.size() + " ", document);
            if (!run.has("completed") && !isOffline(document)) {
                throw file.fault("it has no rate and no latency of a request. Give the file of vllm bench serve.");
            }
            runs.add(isOffline(document) ? offline(run) : serving(run));
        }
        return runs;
    }

    private static boolean isOffline(JsonNode run) {
        return run.has("elapsed_time") && run.has("total_num_tokens");
    }

    /// The runs; of a file in PyTorch's format its records of one metric each, put together again by what they say of their run.
    private static Collection<? extends JsonNode> records(ForeignFile file) {
        Map<JsonNode, ObjectNode> together = new LinkedHashMap<>();
        for (JsonNode record : file.documents()) {
            JsonNode rest = record.path("metric").path("extra_info");
            JsonNode arguments = record.path("benchmark").path("extra_info").path("args");
            if (!record.path("metric").has("benchmark_values")) {
                return file.documents();
            }
            ObjectNode run = together.computeIfAbsent(rest, key -> {
                ObjectNode begun = JsonNodeFactory.instance.objectNode();
                begun.set("model_id", record.path("model").path("name"));
                arguments.propertyStream()
                        .filter(each -> ENGINE.contains(each.getKey()) || LENGTHS.contains(each.getKey()))
                        .forEach(each -> begun.set(each.getKey(), each.getValue()));
                rest.propertyStream().forEach(each -> begun.set(each.getKey(), each.getValue()));
                return begun;
            });
            run.set(record.path("metric").path("name").asString(""),
                    record.path("metric").path("benchmark_values").path(0));
        }
        return together.values();
    }

    private static ForeignRun serving(ForeignFields run) throws ResultFormatException {
        ServingArrays arrays = new ServingArrays(run);
        List<RequestOutcome> requests = arrays.complete() ? arrays.requests() : List.of();
        Summary summary = new Summary(run.count("completed", 0)).add(SERVING, run);
        ForeignRun.Builder built = new ForeignRun.Builder("vLLM", run);
        if (requests.isEmpty()) {
            built.summary(summary)
                    .note("For requests save it with --save-detailed and a version that writes start_times.");
        } else {
            // The requests give the others.
            built.requests(requests,
                    summary.figures().stream().filter(figure -> NOT_OF_REQUESTS.contains(figure.metric())).toList())
                    .note(ForeignRun.unstreamed(requests).toArray(String[]::new));
        }
        if (requests.stream().allMatch(request -> request.intendedNanos() == RequestOutcome.ABSENT)) {
            built.note(
                    "The file has no intended send times. TTFT and E2E latency from the intended instant are absent. The service latencies"
                            + " count from sending.");
        }
        run.array("generated_texts");
        ForeignRun.Settings settings = ServingSettings.of(run);
        return built.note(Speculation.note(run))
                .named(run.text("model_id", ForeignRun.UNNAMED), run.text("backend", run.text("endpoint_type", "vLLM")),
                        run.text("label", run.text("dataset_name", "serve")))
                .load(run.count("max_concurrency", 0), run.number("request_rate"))
                .settings(settings.ofServer(), settings.ofLoad()).started(started(run, built)).build();
    }

    /// The start: the date of saving, after the last request, minus the duration.
    private static Optional<FileDate> started(ForeignFields run, ForeignRun.Builder built)
            throws ResultFormatException {
        Optional<FileDate> saved = FileDate.of(run.text("date", ""));
        OptionalDouble seconds = run.number("duration");
        if (saved.isEmpty() || seconds.isEmpty()) {
            return Optional.empty();
        }
        built.note("The start is the date of saving minus the duration.");
        return Optional.of(new FileDate(
                saved.get().instant().minusNanos(run.nanos("duration", seconds.getAsDouble(), Summary.SECONDS)),
                saved.get().zoned()));
    }

    /// `vllm bench throughput --output-json`: the engine without a server, all requests at once.
    private static ForeignRun offline(ForeignFields run) throws ResultFormatException {
        return new ForeignRun.Builder("vLLM", run).named(run.text("model_id", ForeignRun.UNNAMED), "vLLM", "offline")
                .summary(new Summary(run.count("num_requests", 0)).add(OFFLINE, run))
                .settings(run.settings(ENGINE::contains), run.settings(LENGTHS::contains)).build();
    }
}
