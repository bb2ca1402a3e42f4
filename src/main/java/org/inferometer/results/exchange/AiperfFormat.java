package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import org.inferometer.units.OneLine;
import org.inferometer.workload.RequestId;
import tools.jackson.databind.JsonNode;

/// AIPerf's `profile_export.jsonl` (one record per request) and `profile_export_aiperf.json` (the summary).
final class AiperfFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("aiperf", AiperfFormat::fits,
            file -> isRecord(file.documents().getFirst()), AiperfFormat::read);
    static final String REQUESTS_NAME = "profile_export.jsonl";
    static final String SUMMARY_NAME = "profile_export_aiperf.json";
    private static final int KNOWN_MAJOR = 1;

    /// Units are those of values without one.
    private static final List<FigureField> SUMMARY = List.of(
            new FigureField("time_to_first_token.%s", Metrics.SERVICE_TTFT, Summary.MS),
            new FigureField("inter_token_latency.%s", Metrics.TPOT, Summary.MS),
            new FigureField("inter_chunk_latency.%s", Metrics.INTER_CHUNK, Summary.MS),
            new FigureField("request_latency.%s", Metrics.SERVICE_E2E, Summary.MS),
            new FigureField("request_throughput.%s", Metrics.REQUEST_THROUGHPUT, 1),
            new FigureField("output_token_throughput.%s", Metrics.OUTPUT_THROUGHPUT, 1),
            new FigureField("goodput.%s", Metrics.GOODPUT, 1),
            new FigureField("benchmark_duration.%s", Metrics.WINDOW, Summary.SECONDS),
            new FigureField("request_count.%s", Metrics.REQUESTS_OK, 1),
            new FigureField("error_request_count.%s", Metrics.REQUESTS_FAILED, 1),
            new FigureField("spec_decode_overall_draft_acceptance_rate.%s", Metrics.SERVER_ACCEPTANCE, 0.01),
            new FigureField("spec_decode_token_weighted_acceptance_length.%s", Metrics.SERVER_ACCEPTANCE_LENGTH, 1));

    private AiperfFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && (isRecord(file.documents().getFirst()) || (file.documents().size() == 1
                && isSummary(new ForeignFields(file, "", file.documents().getFirst()))));
    }

    private static boolean isRecord(JsonNode document) {
        return document.path("metadata").has(start(document)) && document.has("metrics");
    }

    /// The name of the instant at which a request was sent; the first versions have another.
    private static String start(JsonNode document) {
        return document.path("metadata").has("request_start_ns") ? "request_start_ns" : "timestamp_ns";
    }

    private static boolean isSummary(ForeignFields fields) {
        return fields.has("aiperf_version") || fields.has("request_throughput.avg");
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        return List.of(isRecord(file.documents().getFirst()) ? records(file, beside(file))
                : summary(new ForeignFields(file, "", file.documents().getFirst())));
    }

    /// The summary that AIPerf wrote beside the requests: it names the model and the load. Empty without a usable one.
    private static Optional<ForeignRun> beside(ForeignFile file) {
        if (!REQUESTS_NAME.equals(String.valueOf(file.path().getFileName()))) {
            return Optional.empty();
        }
        ForeignFields other = file.beside(SUMMARY_NAME);
        try {
            return isSummary(other) ? Optional.of(summary(other)) : Optional.empty();
        } catch (ResultFormatException e) {
            return Optional.empty();
        }
    }

    private static ForeignRun records(ForeignFile file, Optional<ForeignRun> summary) throws ResultFormatException {
        List<RequestOutcome> requests = new ArrayList<>();
        Set<String> unread = new TreeSet<>();
        long anchor = Long.MAX_VALUE;
        for (JsonNode document : file.documents()) {
            anchor = Math.min(anchor, document.path("metadata").path(start(document)).asLong(Long.MAX_VALUE));
        }
        for (int i = 0; i < file.documents().size(); i++) {
            ForeignFields record = new ForeignFields(file, "line " + (i + 1) + " ", file.documents().get(i));
            requests.add(request(record, i, anchor));
            unread.addAll(record.unread());
        }
        List<String> notes = new ArrayList<>();
        notes.add("The file has no intended send times. TTFT and E2E latency from the intended instant are absent.");
        if (requests.stream().anyMatch(RequestOutcome::endsOnly)) {
            notes.add("Without inter_chunk_latency only the first and the last token instant of an answer are known.");
        }
        notes.addAll(ForeignRun.unstreamed(requests));
        summary.ifPresent(run -> notes.add("Model and load are those of " + SUMMARY_NAME + " beside the file."));
        return new ForeignRun("AIPerf", summary.map(ForeignRun::model).orElse(ForeignRun.UNNAMED), "AIPerf", "profile",
                summary.map(ForeignRun::concurrency).orElse(0), summary.map(ForeignRun::ratePerSecond).orElse(0.0),
                requests, List.of(), List.copyOf(notes),
                summary.map(ForeignRun::settings).orElse(ForeignRun.Settings.NONE), unread,
                FileDate.ofEpochNanos(anchor).orElse(null));
    }

    private static RequestOutcome request(ForeignFields record, int number, long anchor) throws ResultFormatException {
        ForeignFields metadata = record.object("metadata");
        ForeignFields metrics = record.object("metrics");
        String name = start(record.file().documents().get(number));
        long start = metadata.nanosSinceEpoch(name).orElseThrow(
                () -> record.file().fault("line " + (number + 1) + " has no whole number in metadata." + name + "."));
        long sent = since(metadata, name, start, anchor);
        boolean warmUp = metadata.text("benchmark_phase", metadata.text("credit_phase", "")).equalsIgnoreCase("warmup");
        boolean cancelled = metadata.text("was_cancelled", "").equals("true");
        String error = error(record);
        int prompt = metrics.count("input_sequence_length",
                value(metrics, "input_sequence_length", 1).orElse(value(metrics, "error_isl", 1).orElse(0)));
        int output = metrics.count("output_sequence_length",
                value(metrics, "output_sequence_length", 1).orElse(value(metrics, "output_token_count", 1).orElse(0)));
        OptionalDouble first = value(metrics, metrics.has("ttft") ? "ttft" : "time_to_first_token", Summary.MS);
        OptionalDouble latency = value(metrics, "request_latency", Summary.MS);
        OptionalLong ended = metadata.nanosSinceEpoch("request_end_ns");
        // Only streamed answers have a first token; every answer has an end.
        boolean ok = error.isEmpty() && !cancelled && (first.isPresent() || latency.isPresent() || ended.isPresent());
        long end = since(metadata, "request_end_ns", ended.orElse(start), anchor);
        long[] tokens = ok && first.isPresent() ? tokens(metrics, sent, first.getAsDouble(), latency) : new long[0];
        if (ok && tokens.length == 0 && latency.isPresent()) {
            end = metrics.after(sent, "request_latency", latency.getAsDouble(), 1);
        }
        RequestStatus status = ok ? RequestStatus.OK : cancelled ? RequestStatus.CANCELLED : RequestStatus.FAILED;
        return new RequestOutcome(new RequestId(number), warmUp, prompt, output, RequestOutcome.ABSENT, sent,
                RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                Math.max(end, tokens.length == 0 ? sent : tokens[tokens.length - 1]), status,
                ok ? "" : error.isEmpty() ? "The file gives no reason." : error, tokens,
                // The file has their sum only. Without gaps the instants are the first and the last.
                new int[tokens.length == output || (tokens.length == 2 && gaps(metrics).isEmpty()) ? 0 : tokens.length],
                ok ? Math.max(output, tokens.length == 0 ? 0 : 1) : 0, TokenSource.CLIENT_TOKENIZER, 0);
    }

    private static String error(ForeignFields record) {
        ForeignFields error = record.object("error");
        return Stream
                .of(error.lastLine("message"), error.lastLine("type"), error.lastLine("code"), record.lastLine("error"))
                .filter(text -> !text.isEmpty()).findFirst().orElse("");
    }

    private static long since(ForeignFields metadata, String name, long nanos, long anchor)
            throws ResultFormatException {
        metadata.nanos(name, (double) nanos - anchor, 1);
        return nanos - anchor;
    }

    /// The instant of every chunk if the gaps are recorded, else the first and the last.
    private static long[] tokens(ForeignFields metrics, long sent, double firstNanos, OptionalDouble latencyNanos)
            throws ResultFormatException {
        double unit = unit(metrics.object("inter_chunk_latency"), Summary.MS).orElse(0);
        List<JsonNode> values = unit == 0 ? List.of() : gaps(metrics);
        long first = sent + metrics.nanos("time_to_first_token", firstNanos, 1);
        if (values.isEmpty()) {
            long last = latencyNanos.isEmpty() ? first
                    : sent + metrics.nanos("request_latency", latencyNanos.getAsDouble(), 1);
            return last > first ? new long[]{first, last} : new long[]{first};
        }
        long[] tokens = new long[values.size() + 1];
        tokens[0] = first;
        for (int i = 1; i < tokens.length; i++) {
            tokens[i] = metrics.after(tokens[i - 1], "inter_chunk_latency",
                    ForeignFields.number(values.get(i - 1)).orElse(Double.NaN), unit);
        }
        return tokens;
    }

    private static List<JsonNode> gaps(ForeignFields metrics) {
        return metrics.object("inter_chunk_latency").array("value");
    }

    /// The value of a metric, times in nanoseconds. A time of 0 or −1 is a placeholder.
    ///
    /// @param usualUnit the unit if the file gives none
    private static OptionalDouble value(ForeignFields metrics, String name, double usualUnit) {
        ForeignFields metric = metrics.object(name);
        OptionalDouble value = metric.number("value");
        if (value.isEmpty() || usualUnit == 1) {
            return value;
        }
        OptionalDouble unit = unit(metric, usualUnit);
        return unit.isEmpty() || value.getAsDouble() == 0 || value.getAsDouble() == -1 ? OptionalDouble.empty()
                : OptionalDouble.of(value.getAsDouble() * unit.getAsDouble());
    }

    /// The unit of a time in nanoseconds; empty if it is not known.
    private static OptionalDouble unit(ForeignFields metric, double usual) {
        return Summary.unit(metric.text("unit", ""), Metric.Unit.NANOSECONDS, usual);
    }

    private static ForeignRun summary(ForeignFields run) throws ResultFormatException {
        String version = run.text("schema_version", "1");
        if (!version.matches(KNOWN_MAJOR + "(\\..*)?")) {
            throw run.file().fault("the schema_version is " + version + " and this program reads " + KNOWN_MAJOR
                    + ". Use a newer Inferometer.");
        }
        Summary summary = new Summary(
                (long) run.number("request_count.avg").orElse(run.number("request_latency.count").orElse(0)))
                .add(SUMMARY, run);
        String model = run.array("input_config.endpoint.model_names").stream().findFirst().filter(JsonNode::isString)
                .map(JsonNode::stringValue).map(OneLine::of).orElse(ForeignRun.UNNAMED);
        ForeignRun.Builder built = new ForeignRun.Builder("AIPerf", run).named(model, "AIPerf", "profile")
                .summary(summary).note("Import the profile_export.jsonl beside it to get the requests.");
        if (run.has("inter_token_latency.avg")) {
            built.note("AIPerf's inter_token_latency is a mean per request: it is shown as TPOT.");
        }
        ForeignFields load = run.object("input_config.loadgen");
        return built.load(load.count("concurrency", 0), load.number("request_rate"))
                .settings(Map.of(), load.settings(name -> true)).started(FileDate.of(run.text("start_time", "")))
                .build();
    }
}
