package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import org.inferometer.workload.RequestId;
import tools.jackson.databind.JsonNode;

/// inference-perf's reports: `stage_N_` or `summary_lifecycle_metrics.json`, or all requests in `per_request_lifecycle_metrics.json`. All
/// times in seconds. `config.yaml` beside them names the model.
final class InferencePerfFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("inference-perf", InferencePerfFormat::fits,
            ForeignFormat.SEVERAL, InferencePerfFormat::read);
    private static final String CONFIG = "config.yaml";
    private static final List<FigureField> FIGURES = List.of(new FigureField("successes.count", Metrics.REQUESTS_OK, 1),
            new FigureField("failures.count", Metrics.REQUESTS_FAILED, 1),
            new FigureField("benchmark_time_seconds", Metrics.WINDOW, Summary.SECONDS),
            new FigureField("successes.throughput.requests_per_sec", Metrics.REQUEST_THROUGHPUT, 1),
            new FigureField("successes.prompt_tokens.total", Metrics.PROMPT_TOKENS, 1),
            new FigureField("successes.output_tokens.total", Metrics.OUTPUT_TOKENS, 1),
            new FigureField("successes.goodput_metrics.request_goodput", Metrics.GOODPUT, 1),
            new FigureField("load_summary.schedule_delay.%s", Metrics.SEND_LATENESS, Summary.SECONDS),
            new FigureField("successes.latency.time_to_first_token.%s", Metrics.SERVICE_TTFT, Summary.SECONDS));
    private static final List<FigureField> OUTPUT =
            List.of(new FigureField("successes.throughput.output_tokens_per_sec", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("successes.throughput.total_tokens_per_sec", Metrics.TOTAL_THROUGHPUT, 1));
    private static final List<FigureField> TOKEN_TIME =
            List.of(new FigureField("successes.latency.time_per_output_token.%s", Metrics.TPOT, Summary.SECONDS));

    private InferencePerfFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && (file.documents().stream().allMatch(InferencePerfFormat::isRequest)
                || file.documents().stream().allMatch(
                        each -> each.path("load_summary").isObject() && each.path("successes").has("latency")));
    }

    private static boolean isRequest(JsonNode entry) {
        return entry.has("start_time") && entry.has("end_time") && entry.has("info");
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        if (isRequest(file.documents().getFirst())) {
            return List.of(requests(file));
        }
        ForeignFields config = file.beside(CONFIG);
        List<ForeignRun> runs = new ArrayList<>();
        for (ForeignFields run : ForeignFields.each(file, "report")) {
            runs.add(summary(run, config));
        }
        return runs;
    }

    private static ForeignRun.Builder built(ForeignFields run, ForeignFields config) {
        ForeignRun.Builder built = new ForeignRun.Builder("inference-perf", run).named(
                config.text("server.model_name", ForeignRun.UNNAMED), config.text("server.type", "inference-perf"),
                config.text("data.type", "load"));
        return config.has("server.model_name") ? built.note("The model is that of config.yaml beside the file.")
                : built;
    }

    private static ForeignRun summary(ForeignFields run, ForeignFields config) throws ResultFormatException {
        Summary summary = new Summary(run.count("successes.count", 0)).add(FIGURES, run);
        ForeignRun.Builder built = built(run, config).note(
                "Its request latency ends with the stream, and its inter_token_latency counts 0 between tokens of one chunk. They are only in the copy of the source.");
        int otherwise = run.has("successes.output_tokens") ? 0 : run.count("successes.token_count_mismatches", 0);
        if (otherwise == 0) {
            summary.add(OUTPUT, run);
        } else {
            built.note("Of " + otherwise
                    + " requests the server counts other tokens, and this version counts some twice: rates of output tokens are left out.");
        }
        if (run.has("successes.output_tokens")) {
            summary.add(TOKEN_TIME, run);
        } else {
            built.note(
                    "This version divides by the number of chunks, not of tokens: its time_per_output_token is left out.");
        }
        Map<String, String> load = new LinkedHashMap<>();
        int limit = run.count("load_summary.concurrency", 0);
        OptionalDouble rate = limit > 0 ? OptionalDouble.empty() : run.number("load_summary.requested_rate");
        String pattern = config.text("load.type", "");
        if (!pattern.isEmpty()) {
            load.put("arrival_pattern", pattern);
        }
        if (limit > 0) {
            load.put("concurrency", Integer.toString(limit));
        } else {
            rate.ifPresent(each -> load.put("requested_rate", Double.toString(each)));
        }
        return built.summary(summary).load(limit, rate).settings(Map.of(), load).build();
    }

    private static ForeignRun requests(ForeignFile file) throws ResultFormatException {
        List<ForeignFields> entries = ForeignFields.each(file, "request");
        double anchor = entries.stream().flatMapToDouble(entry -> entry.number("start_time").stream()).min().orElse(0);
        List<RequestOutcome> requests = new ArrayList<>();
        Set<String> unread = new TreeSet<>();
        for (ForeignFields entry : entries) {
            requests.add(request(entry, requests.size(), anchor));
            unread.addAll(entry.unread());
        }
        return built(entries.getFirst(), file.beside(CONFIG)).requests(requests, List.of()).unread(unread).note(
                "The file does not say the stages of requests: all stages are one run. It has no intended send times.")
                .note(ForeignRun.unstreamed(requests).toArray(String[]::new)).build();
    }

    private static RequestOutcome request(ForeignFields entry, int number, double anchor) throws ResultFormatException {
        long sent = entry.nanos("start_time", entry.number("start_time").orElse(Double.NaN) - anchor, Summary.SECONDS);
        long end = entry.nanos("end_time", entry.number("end_time").orElse(Double.NaN) - anchor, Summary.SECONDS);
        ForeignFields info = entry.object("info");
        ForeignFields answer = info.has("response_metrics.output_tokens") ? info.object("response_metrics") : info;
        String error = entry.lastLine("error");
        error = error.isEmpty() ? (entry.text("error.error_type", "") + " " + entry.text("error.error_msg", "")).strip()
                : error;
        int counted = answer.count("server_usage.completion_tokens", 0);
        int output = counted > 0 ? counted : answer.count("output_tokens", 0);
        long[] instants = error.isEmpty() ? instants(answer, anchor) : new long[0];
        long[] events = Arrays.stream(instants).distinct().toArray();
        if (events.length > 0 && events[0] < sent) {
            throw entry.file().fault("request " + number + " has an output token before it was sent.");
        }
        int[] tokens = new int[events.length];
        // Tokens of one chunk have its instant. A number other than the answer's was counted text by text.
        for (int i = 0, event = -1; i < instants.length && instants.length == output; i++) {
            event += i == 0 || instants[i] != instants[i - 1] ? 1 : 0;
            tokens[event]++;
        }
        int prompt = info.count("request_metrics.text.input_tokens", info.count("input_tokens", 0));
        return new RequestOutcome(new RequestId(number), false, prompt, output, RequestOutcome.ABSENT, sent,
                RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                Math.max(end, events.length == 0 ? sent : events[events.length - 1]),
                error.isEmpty() ? RequestStatus.OK : RequestStatus.FAILED, error, events, tokens,
                error.isEmpty() ? Math.max(output, events.length == 0 ? 0 : 1) : 0,
                counted > 0 ? TokenSource.SERVER_USAGE : TokenSource.CLIENT_TOKENIZER, 0);
    }

    /// The instants of the output tokens, ascending.
    private static long[] instants(ForeignFields answer, double anchor) throws ResultFormatException {
        List<JsonNode> times = answer.array("output_token_times");
        long[] instants = new long[times.size()];
        for (int i = 0; i < instants.length; i++) {
            instants[i] = answer.nanos("output_token_times",
                    ForeignFields.number(times.get(i)).orElse(Double.NaN) - anchor, Summary.SECONDS);
        }
        Arrays.sort(instants);
        return instants;
    }
}
