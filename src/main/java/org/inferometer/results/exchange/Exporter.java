package org.inferometer.results.exchange;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.definitions.DefinedFigure;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.measurement.definitions.Redefinition;
import org.inferometer.measurement.definitions.Rule;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.results.exchange.Summary.FigureField;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes a run in the format of another tool: its measured requests, and figures under that tool's definitions. Prompts, answers and versions
/// are not in a record and are left out.
public final class Exporter {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Map<String, Function<Exporter, String>> FORMATS = formats();
    private final RunRecord run;
    private final RequestColumns requests;
    /// The requests that were sent; the unsent turns of a broken session are left out.
    private final RequestColumns sent;

    private Exporter(RunRecord run) {
        this.run = run;
        this.requests = run.observations().requests().measured();
        this.sent = requests.where(i -> requests.sentNanos(i) != RequestOutcome.ABSENT);
    }

    private static Map<String, Function<Exporter, String>> formats() {
        Map<String, Function<Exporter, String>> formats = new TreeMap<>();
        formats.put("vllm", exporter -> exporter.serving(Definition.VLLM, "e2el"));
        formats.put("sglang", exporter -> exporter.serving(Definition.SGLANG, "e2e_latency"));
        formats.put("aiperf", Exporter::aiperf);
        formats.put("guidellm", Exporter::guideLlm);
        formats.put("trtllm-bench", exporter -> TrtllmBenchReport.of(exporter.run, exporter.requests));
        return formats;
    }

    /// Ids of the formats for export.
    public static List<String> formatNames() {
        return List.copyOf(FORMATS.keySet());
    }

    /// The file of a run as text: JSON or JSON lines.
    ///
    /// @param id one of [#formatNames]
    /// @throws IllegalArgumentException if the record cannot fill the format
    public static String of(RunRecord run, String id) {
        Function<Exporter, String> format = Optional.ofNullable(FORMATS.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is no format \"" + id
                        + "\" to export. Choose one of " + String.join(", ", formatNames()) + "."));
        Exporter exporter = new Exporter(run);
        if (exporter.requests.isEmpty()) {
            throw new IllegalArgumentException(
                    run.folderName() + " has figures but no requests. It cannot be exported as " + id + ".");
        }
        if (exporter.sent.isEmpty()) {
            throw new IllegalArgumentException(
                    "No request of " + run.folderName() + " was sent. It cannot be exported as " + id + ".");
        }
        return format.apply(exporter);
    }

    private String serving(Definition definition, String endToEnd) {
        boolean vllm = definition == Definition.VLLM;
        if (sent.stream().anyMatch(request -> request.ok() && request.endsOnly())) {
            throw new IllegalArgumentException(run.folderName()
                    + " has only the first and the last token instant of its answers. " + definition.label()
                    + " needs the gap before each chunk. Export it as guidellm, or export a run with all instants.");
        }
        if (sent.stream().anyMatch(request -> request.ok() && request.eventNanos().length == 0)) {
            throw new IllegalArgumentException(run.folderName() + " has answers that were not streamed. "
                    + definition.label() + " needs the instant of the first token. Export it as aiperf or guidellm.");
        }
        WorkloadSpec workload = run.manifest().plan().workload();
        String engine = run.manifest().plan().cell().subject().model().orElse("");
        ObjectNode node = MAPPER.createObjectNode();
        if (vllm) {
            node.put("endpoint_type", "inferometer").put("label", workload.name()).put("model_id",
                    model(run.manifest()));
            savedAt().ifPresent(date -> node.put("date", date));
            // vLLM allows additional names.
            node.put("engine", engine);
        } else {
            node.put("dataset_name", workload.name()).put("tag", engine);
            node.putObject("server_info").put("model_path", model(run.manifest()));
        }
        node.put("backend", run.manifest().plan().cell().subject().system());
        node.put("num_prompts", sent.size());
        // These files have no names for other arrivals.
        if (workload.arrivals() instanceof ArrivalProcess.ClosedLoop closed) {
            node.put("request_rate", "inf").put("max_concurrency", closed.concurrency());
        } else if (workload.arrivals() instanceof ArrivalProcess.Poisson poisson) {
            node.put("request_rate", poisson.requestsPerSecond());
        }
        long ok = sent.stream().filter(RequestOutcome::ok).count();
        node.put("completed", ok).put("failed", sent.size() - ok);
        node.put("total_input_tokens",
                sent.stream().filter(RequestOutcome::ok).mapToLong(RequestOutcome::promptTokens).sum());
        node.put("total_output_tokens",
                sent.stream().filter(RequestOutcome::ok).mapToLong(RequestOutcome::outputTokens).sum());
        figures(node, definition, endToEnd, vllm ? "total_token_throughput" : "total_throughput");
        // Readers detect the format by these names.
        Stream.of("request_throughput", "mean_" + endToEnd + "_ms").filter(name -> !node.has(name))
                .forEach(node::putNull);
        arrays(node, vllm, definition.rules().gaps() == Rule.Gaps.SPLIT_CHUNKS);
        return MAPPER.writeValueAsString(node) + "\n";
    }

    /// The name of the model; of the engine if the model is not recorded.
    static String model(RunManifest manifest) {
        return manifest.system().model().isEmpty() ? manifest.plan().cell().subject().model().orElse("")
                : manifest.system().model();
    }

    /// The date of saving in whole seconds: after the last request.
    private Optional<String> savedAt() {
        Instant started = run.manifest().anchorWall();
        long end = requests.stream().mapToLong(RequestOutcome::endNanos).max().orElse(0);
        return started == null ? Optional.empty()
                : Optional.of(FileDate.COMPACT.format(started.plusNanos(end).atOffset(ZoneOffset.UTC)));
    }

    private void figures(ObjectNode node, Definition definition, String endToEnd, String total) {
        Map<Metric, FigureField> rates =
                FigureField.ofServing(total).stream().collect(Collectors.toMap(FigureField::metric, field -> field));
        Map<String, String> families = Map.of(Metrics.TTFT.id(), "ttft", Metrics.TPOT.id(), "tpot", Metrics.ITL.id(),
                "itl", Metrics.E2E.id(), endToEnd);
        for (DefinedFigure figure : Redefinition.of(sent, run.observations().setup().load(), definition, null)) {
            String id = figure.metric().id();
            int dash = id.lastIndexOf('_');
            if (figure.theirs() == null) {
                continue;
            }
            FigureField rate = rates.get(figure.metric());
            if (rate != null) {
                node.put(rate.name(), figure.theirs() / rate.unit());
            } else if (dash > 0 && families.containsKey(id.substring(0, dash))) {
                String name = "_" + families.get(id.substring(0, dash)) + "_ms";
                String of = id.substring(dash + 1);
                node.put(of + name, figure.theirs() / Summary.MS);
                if (of.equals("p50")) {
                    node.put("median" + name, figure.theirs() / Summary.MS);
                }
            }
        }
    }

    /// @param split whether a gap is written as equal shares, one for each token of the event after it
    private void arrays(ObjectNode node, boolean sendTimes, boolean split) {
        ArrayNode prompts = node.putArray("input_lens");
        ArrayNode outputs = node.putArray("output_lens");
        ArrayNode firsts = node.putArray("ttfts");
        ArrayNode gaps = node.putArray("itls");
        ArrayNode errors = node.putArray("errors");
        for (RequestOutcome request : sent) {
            long[] at = request.ok() ? request.eventNanos() : new long[0];
            prompts.add(request.promptTokens());
            outputs.add(at.length == 0 ? 0 : request.outputTokens());
            firsts.add(at.length == 0 ? 0 : seconds(at[0] - request.sentNanos()));
            ArrayNode between = gaps.addArray();
            for (int i = 1; i < at.length; i++) {
                int tokens = split && request.knowsEventTokens() ? request.eventTokens()[i] : 1;
                for (int token = 0; token < tokens; token++) {
                    between.add((at[i] - at[i - 1]) / (Summary.SECONDS * tokens));
                }
            }
            errors.add(request.ok() ? "" : reason(request));
        }
        if (sendTimes) {
            ArrayNode starts = node.putArray("start_times");
            sent.forEach(request -> starts.add(seconds(request.sentNanos())));
            // After a jump of an imported wall clock, a request may be sent before its intended time.
            if (sent.stream().allMatch(request -> request.intendedNanos() != RequestOutcome.ABSENT
                    && request.intendedNanos() <= request.sentNanos())) {
                ArrayNode queues = node.putArray("queue_times");
                sent.forEach(request -> queues.add(seconds(request.sentNanos() - request.intendedNanos())));
            }
        }
    }

    private String aiperf() {
        Instant wall = Objects.requireNonNullElse(run.manifest().anchorWall(), Instant.EPOCH);
        long anchor = Math.multiplyExact(wall.getEpochSecond(), 1_000_000_000L) + wall.getNano();
        StringBuilder lines = new StringBuilder();
        for (RequestOutcome request : sent) {
            ObjectNode node = MAPPER.createObjectNode();
            node.putObject("metadata").put("session_num", request.id().index())
                    .put("request_start_ns", anchor + request.sentNanos())
                    .put("request_end_ns", anchor + request.endNanos()).put("benchmark_phase", "profiling")
                    .put("was_cancelled",
                            request.status() == RequestStatus.CANCELLED || request.status() == RequestStatus.GAVE_UP);
            ObjectNode metrics = node.putObject("metrics");
            metric(metrics, "input_sequence_length", request.promptTokens(), "tokens");
            long[] at = request.eventNanos();
            if (request.answered()) {
                metric(metrics, "output_sequence_length", request.outputTokens(), "tokens");
                metric(metrics, "request_latency", (request.lastTokenNanos() - request.sentNanos()) / Summary.MS, "ms");
                if (!request.whole()) {
                    metric(metrics, "time_to_first_token", (at[0] - request.sentNanos()) / Summary.MS, "ms");
                }
                if (at.length > 1 && !request.endsOnly()) {
                    ArrayNode gaps = metrics.putObject("inter_chunk_latency").put("unit", "ms").putArray("value");
                    for (int i = 1; i < at.length; i++) {
                        gaps.add((at[i] - at[i - 1]) / Summary.MS);
                    }
                }
            }
            if (request.ok()) {
                node.putNull("error");
            } else {
                node.putObject("error").put("type", request.status().id()).put("message", reason(request));
            }
            lines.append(MAPPER.writeValueAsString(node)).append('\n');
        }
        return lines.toString();
    }

    private static void metric(ObjectNode metrics, String name, double value, String unit) {
        metrics.putObject(name).put("value", value).put("unit", unit);
    }

    private String guideLlm() {
        Instant wall = Objects.requireNonNullElse(run.manifest().anchorWall(), Instant.EPOCH);
        double anchor = wall.getEpochSecond() + wall.getNano() / Summary.SECONDS;
        ObjectNode node = MAPPER.createObjectNode();
        node.putObject("metadata").put("version", 2);
        ObjectNode benchmark = node.putArray("benchmarks").addObject();
        ObjectNode config = benchmark.putObject("config");
        config.putObject("backend").put("model", model(run.manifest()));
        ObjectNode strategy = config.putObject("strategy");
        ArrivalProcess arrivals = run.manifest().plan().workload().arrivals();
        if (arrivals instanceof ArrivalProcess.ClosedLoop closed) {
            strategy.put("type_", "concurrent").put("streams", closed.concurrency());
        } else if (arrivals instanceof ArrivalProcess.Poisson poisson) {
            strategy.put("type_", "poisson").put("rate", poisson.requestsPerSecond());
        } else if (arrivals instanceof ArrivalProcess.Constant constant) {
            strategy.put("type_", "constant").put("rate", constant.requestsPerSecond());
        }
        ObjectNode groups = benchmark.putObject("requests");
        ArrayNode successful = groups.putArray("successful");
        ArrayNode incomplete = groups.putArray("incomplete");
        ArrayNode errored = groups.putArray("errored");
        for (RequestOutcome request : requests) {
            ArrayNode group = switch (request.status()) {
                case OK -> successful;
                case CANCELLED, GAVE_UP -> incomplete;
                case FAILED, TIMED_OUT, REFUSED -> errored;
            };
            ObjectNode each =
                    group.addObject().put("request_id", String.format(Locale.ROOT, "%d", request.id().index()));
            each.putObject("input_metrics").put("text_tokens", request.promptTokens());
            each.putObject("output_metrics").put("text_tokens", request.outputTokens());
            ObjectNode info = each.putObject("info");
            if (!request.ok()) {
                info.put("error", reason(request));
            }
            ObjectNode timings = info.putObject("timings");
            instant(timings, "targeted_start", request.intendedNanos(), anchor);
            instant(timings, "request_start", request.sentNanos(), anchor);
            instant(timings, "first_token_iteration", request.firstTokenNanos(), anchor);
            instant(timings, "last_token_iteration", request.whole() ? RequestOutcome.ABSENT : request.lastTokenNanos(),
                    anchor);
            timings.put("token_iterations", request.eventNanos().length);
            instant(timings, "request_end", request.endNanos(), anchor);
        }
        return MAPPER.writeValueAsString(node) + "\n";
    }

    private static void instant(ObjectNode timings, String name, long nanos, double anchor) {
        if (nanos != RequestOutcome.ABSENT) {
            timings.put(name, anchor + nanos / Summary.SECONDS);
        }
    }

    private static double seconds(long nanos) {
        return nanos / Summary.SECONDS;
    }

    private static String reason(RequestOutcome request) {
        return request.reason().isEmpty() ? request.status().id() : request.reason();
    }
}
