package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import org.inferometer.units.LetterCase;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// MLPerf LoadGen's `mlperf_log_summary.txt` or `mlperf_log_detail.txt`. All latencies are in nanoseconds from the scheduled instant.
final class LoadGenFormat {
    static final ForeignFormat FORMAT =
            ForeignFormat.ofRows("loadgen", file -> file.documents().size() == 1 && scenario(file).isPresent(),
                    file -> true, "log", LoadGenFormat::run);
    private static final String DETAIL = ":::MLLOG";
    private static final String TITLE = "MLPerf Results Summary";
    private static final Pattern SUMMARY_PERCENTILE = Pattern.compile("^(\\d{2})\\.00 percentile");
    private static final Pattern ERROR_COUNT = Pattern.compile("^\\d+ ERRORS? ");
    private static final Pattern DETAIL_PERCENTILE = Pattern.compile("_(\\d{2})\\.00_percentile");
    private static final String ERRORS = "errors of LoadGen";
    private static final String UNREADABLE = "unreadable lines";
    private static final int MOST_NAMES = 10_000;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /// The names of the detail log, then those of the summary.
    private static final List<FigureField> FIGURES =
            List.of(new FigureField("result_completed_samples_per_sec", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("completed samples per second", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("result_samples_per_second", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("samples per second", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("result_completed_tokens_per_second", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("completed tokens per second", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("result_tokens_per_second", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("tokens per second", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("result_scheduled_samples_per_sec", Metrics.OFFERED_RATE, 1),
                    new FigureField("scheduled samples per second", Metrics.OFFERED_RATE, 1));
    private static final List<FigureField> LATENCIES = List.of(new FigureField("result_%s_latency_ns", Metrics.E2E, 1),
            new FigureField("%s latency (ns)", Metrics.E2E, 1),
            new FigureField("result_first_token_%s_latency_ns", Metrics.TTFT, 1),
            new FigureField("%s first token latency (ns)", Metrics.TTFT, 1),
            new FigureField("result_time_to_output_token_%s", Metrics.TPOT.mean(), 1),
            new FigureField("result_time_per_output_token_%s_ns", Metrics.TPOT, 1),
            new FigureField("%s time to output token (ns)", Metrics.TPOT, 1));
    private static final Set<String> SETTINGS = Set.of("effective_scenario", "effective_target_qps",
            "effective_min_duration_ms", "effective_min_query_count", "loadgen_version", "target_qps", "scenario",
            "min_query_count", "max_async_queries", "samples_per_query");

    private LoadGenFormat() {}

    /// A log as one document; empty if a text is none.
    static Optional<JsonNode> document(String text) {
        boolean detail = text.contains(DETAIL);
        if (!detail && !text.contains(TITLE)) {
            return Optional.empty();
        }
        ObjectNode log = JsonNodeFactory.instance.objectNode();
        text.lines().filter(line -> log.size() < MOST_NAMES).forEach(line -> {
            int colon = line.indexOf(" : ") >= 0 ? line.indexOf(" : ") + 1 : line.indexOf(':');
            if (detail && line.contains(DETAIL)) {
                entry(line.substring(line.indexOf(DETAIL) + DETAIL.length()), log);
            } else if (!detail && colon > 0) {
                String name = LetterCase.lower(line.substring(0, colon).strip());
                log.putIfAbsent(SUMMARY_PERCENTILE.matcher(name).replaceFirst("p$1"),
                        log.stringNode(line.substring(colon + 1).strip()));
            } else if (!detail && ERROR_COUNT.matcher(line).find()) {
                log.put(ERRORS, line.substring(0, line.indexOf(' ')));
            }
        });
        return Optional.of(log);
    }

    private static void entry(String json, ObjectNode log) {
        try {
            JsonNode entry = MAPPER.readTree(json);
            if (entry.path("metadata").path("is_error").asBoolean(false)) {
                log.put(ERRORS, log.path(ERRORS).asInt(0) + 1);
            } else {
                log.set(DETAIL_PERCENTILE.matcher(entry.path("key").asString("")).replaceFirst("_p$1"),
                        entry.path("value"));
            }
        } catch (JacksonException cutOff) {
            log.put(UNREADABLE, log.path(UNREADABLE).asInt(0) + 1);
        }
    }

    private static Optional<String> scenario(ForeignFile file) {
        JsonNode log = file.documents().getFirst();
        String name = log.path("effective_scenario").asString(
                log.path("requested_scenario").asString(log.has("sut name") ? log.path("scenario").asString("") : ""));
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static ForeignRun run(ForeignFields log) throws ResultFormatException {
        String scenario = scenario(log.file()).orElse("");
        List<String> notes = new ArrayList<>();
        String valid = log.text("result_validity", log.text("result is", ""));
        if (!valid.isEmpty()) {
            notes.add("LoadGen's own verdict: " + valid + ".");
        }
        for (String count : List.of(ERRORS, UNREADABLE)) {
            log.number(count).ifPresent(lines -> notes.add("The log has " + count + ": " + Math.round(lines) + "."));
        }
        // A query is one request in the others.
        boolean several = Set.of("Offline", "MultiStream", "Multi Stream").contains(scenario);
        Summary summary = new Summary(several ? 0 : log.count("result_query_count", 0)).add(FIGURES, log);
        if (!several) {
            summary.add(Metrics.REQUESTS_OK, log.number("result_query_count"), 1);
        }
        if (several && !scenario.equals("Offline")) {
            notes.add("Latencies of MultiStream are of queries with several samples: they are left out.");
        } else {
            summary.add(LATENCIES, log);
            notes.add("Percentiles are single values (index ⌊n·p⌋). Rates of a server count one request less.");
        }
        boolean single = scenario.replace(" ", "").equals("SingleStream");
        OptionalDouble rate = scenario.equals("Server") || scenario.equals("Interactive")
                ? first(log.number("effective_target_qps"), log.number("target_qps")) : OptionalDouble.empty();
        return new ForeignRun.Builder("LoadGen", log)
                .named(ForeignRun.UNNAMED, log.text("sut name", log.text("sut_name", "SUT")), scenario)
                .load(single ? 1 : 0, rate).summary(summary).note(notes.toArray(String[]::new))
                .settings(Map.of(), log.settings(SETTINGS::contains)).build();
    }

    private static OptionalDouble first(OptionalDouble one, OptionalDouble other) {
        return one.isPresent() ? one : other;
    }
}
