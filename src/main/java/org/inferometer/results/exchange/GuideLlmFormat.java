package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import tools.jackson.databind.JsonNode;

/// GuideLLM's `benchmarks.json`, version 2 or older: benchmarks with their requests, timed in seconds of the wall clock.
final class GuideLlmFormat {
    static final ForeignFormat FORMAT =
            new ForeignFormat("guidellm", GuideLlmFormat::fits, ForeignFormat.SEVERAL, GuideLlmFormat::read);
    private static final int NEWEST = 2;
    private static final List<FigureField> FIGURES =
            List.of(new FigureField("request_totals.successful", Metrics.REQUESTS_OK, 1),
                    new FigureField("request_totals.errored", Metrics.REQUESTS_FAILED, 1),
                    new FigureField("request_totals.incomplete", Metrics.REQUESTS_CANCELLED, 1),
                    new FigureField("requests_per_second.successful.%s", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("output_tokens_per_second.successful.%s", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("tokens_per_second.successful.%s", Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField("time_to_first_token_ms.successful.%s", Metrics.SERVICE_TTFT, Summary.MS));

    private GuideLlmFormat() {}

    private static boolean fits(ForeignFile file) {
        return file.documents().size() == 1 && file.documents().getFirst().path("benchmarks").isArray();
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        ForeignFields whole = new ForeignFields(file, "", file.documents().getFirst());
        int version = whole.object("metadata").count("version", NEWEST);
        if (version > NEWEST) {
            throw file.fault("metadata.version is " + version + " and this program reads " + NEWEST
                    + ". Use a newer Inferometer.");
        }
        List<JsonNode> benchmarks = whole.array("benchmarks");
        List<ForeignRun> runs = new ArrayList<>();
        for (int i = 0; i < benchmarks.size(); i++) {
            runs.add(benchmark(new ForeignFields(file, "benchmarks[" + i + "].", benchmarks.get(i))));
        }
        if (runs.isEmpty()) {
            throw file.fault("the file has no benchmark.");
        }
        return runs;
    }

    private static ForeignRun benchmark(ForeignFields benchmark) throws ResultFormatException {
        if (!benchmark.has("requests") && !benchmark.has("metrics")) {
            throw benchmark.file().fault("a benchmark has neither requests nor metrics. Use GuideLLM 0.2 or later.");
        }
        ForeignFields config = benchmark.object("config");
        ForeignFields strategy = strategy(benchmark);
        String kind = strategy.text("type_", "benchmark");
        int streams = strategy.count("streams", strategy.count("max_concurrency", 0));
        OptionalDouble rate = strategy.number("rate");
        String workload = kind + (streams > 0 ? " " + streams : rate.isPresent() ? " " + rate.getAsDouble() : "");
        Set<String> unread = new TreeSet<>();
        Placed placed = requests(benchmark, unread);
        ForeignFields metrics = benchmark.object("metrics");
        ForeignFields totals = metrics.object("request_totals");
        long all = totals.count("total", 0);
        long kept = placed.requests().stream().filter(request -> !request.warmUp()).count();
        // A file may keep a sample of its requests.
        List<RequestOutcome> requests = kept < all ? List.of() : placed.requests();
        ForeignRun.Builder built = new ForeignRun.Builder("GuideLLM", benchmark).unread(unread);
        if (requests.isEmpty()) {
            built.summary(new Summary(totals.count("successful", 0)).add(FIGURES, metrics))
                    .note((kept > 0
                            ? "The file keeps " + kept + " of " + all + " requests: figures are those of the file."
                            : "The file has no requests.")
                            + " Figures with another definition in GuideLLM were skipped.");
        } else {
            built.requests(requests, List.of())
                    .note("GuideLLM keeps only the first and the last token instant of an answer.");
            long outside = requests.size() - kept;
            if (outside > 0) {
                built.note(outside + " of " + requests.size()
                        + " requests were sent outside of GuideLLM's measurement: they are warm-up.");
            }
            built.note(ForeignRun.unstreamed(requests).toArray(String[]::new))
                    .note("The instants come from the wall clock, which can be adjusted during a run.");
        }
        OptionalDouble begun = benchmark.number("start_time");
        Map<String, String> settings = new LinkedHashMap<>();
        if (strategy.has("type_")) {
            settings.put("strategy", kind);
        }
        settings.putAll(strategy.settings(name -> !name.equals("type_")));
        String model = config.text("backend.model", benchmark.text("worker.backend_model", ForeignRun.UNNAMED));
        return built.named(model, "GuideLLM", workload).load(streams, rate).settings(Map.of(), settings)
                .started(FileDate.ofEpochSeconds(requests.isEmpty() ? begun : OptionalDouble.of(placed.anchorSeconds()))
                        .map(instant -> new FileDate(instant, true)))
                .build();
    }

    /// The load strategy; its place depends on the version.
    private static ForeignFields strategy(ForeignFields benchmark) {
        for (String place : List.of("config", "args", "scheduler")) {
            if (benchmark.object(place).has("strategy")) {
                return benchmark.object(place).object("strategy");
            }
        }
        return benchmark.object("config").object("strategy");
    }

    /// @param anchorSeconds of the file's clock at instant 0; infinite without requests
    private record Placed(List<RequestOutcome> requests, double anchorSeconds) {}

    private static Placed requests(ForeignFields benchmark, Set<String> unread) throws ResultFormatException {
        ForeignFields groups = benchmark.object("requests");
        List<ForeignFields> entries = new ArrayList<>();
        List<GuideLlmRequest> all = new ArrayList<>();
        List<String> names = List.of("successful", "incomplete", "errored");
        List<RequestStatus> statuses = List.of(RequestStatus.OK, RequestStatus.CANCELLED, RequestStatus.FAILED);
        for (int g = 0; g < names.size(); g++) {
            for (JsonNode request : groups.array(names.get(g))) {
                ForeignFields entry = new ForeignFields(benchmark.file(), names.get(g) + " request ", request);
                entries.add(entry);
                all.add(new GuideLlmRequest(entry, names.get(g), statuses.get(g)));
            }
        }
        double anchor =
                all.stream().mapToDouble(GuideLlmRequest::earliestSeconds).min().orElse(Double.POSITIVE_INFINITY);
        ForeignFields measured = benchmark.object("scheduler_metrics");
        double from = measured.number("measure_start_time").orElse(Double.NEGATIVE_INFINITY);
        double to = measured.number("measure_end_time").orElse(Double.POSITIVE_INFINITY);
        boolean any = all.stream().anyMatch(request -> request.isSentWithin(from, to));
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            requests.add(all.get(i).outcome(i, anchor, any && !all.get(i).isSentWithin(from, to)));
            unread.addAll(entries.get(i).unread());
        }
        return new Placed(requests, anchor);
    }
}
