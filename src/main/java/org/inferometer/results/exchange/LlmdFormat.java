package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import tools.jackson.databind.JsonNode;

/// llm-d's benchmark report 0.1 and 0.2, in YAML or JSON: what several tools measured, in units that the file names.
final class LlmdFormat {
    static final ForeignFormat FORMAT = ForeignFormat.ofRows("llm-d", LlmdFormat::fits,
            file -> file.ending().startsWith("y"), "report", LlmdFormat::run);
    private static final String OLD = "metrics.";
    private static final String NEW = "results.request_performance.aggregate.";
    private static final List<FigureField> RATES =
            List.of(new FigureField(NEW + "throughput.request_rate.%s", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField(NEW + "throughput.output_token_rate.%s", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField(NEW + "throughput.total_token_rate.%s", Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField(OLD + "throughput.requests_per_sec", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField(OLD + "throughput.output_tokens_per_sec", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField(OLD + "throughput.total_tokens_per_sec", Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField(OLD + "time.duration", Metrics.WINDOW, Summary.SECONDS));
    private static final Set<String> OF_VLLM = Set.of("vllm-benchmark", "inferencemax");
    private static final Set<String> LOAD =
            Set.of("tool", "tool_version", "stage", "rate_qps", "concurrency", "source", "parallelism", "name", "type");
    private static final Set<String> SERVER = Set.of("tool", "tool_version", "role", "replicas", "version", "model",
            "count", "dp", "tp", "pp", "ep", "workers");

    private LlmdFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && file.documents().stream().allMatch(
                report -> report.has("version") && (report.at("/results/request_performance/aggregate").isObject()
                        || report.at("/metrics/latency/time_to_first_token").isObject()));
    }

    private static ForeignRun run(ForeignFields report) throws ResultFormatException {
        String version = report.text("version", "");
        if (!version.equals("0.1") && !version.equals("0.2") && !version.startsWith("0.2.")) {
            throw report.file().fault(
                    "its version is " + version + " and this program reads 0.1 and 0.2. Use a newer Inferometer.");
        }
        String all = version.equals("0.1") ? OLD : NEW;
        ForeignFields load = report.object(version.equals("0.1") ? "scenario.load" : "scenario.load.standardized");
        String tool = load.text("tool", load.text("name", ""));
        int total = report.count(all + "requests.total", 0);
        int failed = tool.equals("aiperf") ? 0 : report.count(all + "requests.failures", 0);
        Summary summary = new Summary(Math.max(0, total - failed)).add(RATES, report).add(latencies(all, tool), report);
        List<String> notes = new ArrayList<>();
        if (tool.equals("aiperf")) {
            notes.add("Its failures count kinds of errors: they are left out.");
        } else {
            summary.add(Metrics.REQUESTS_FAILED, report.number(all + "requests.failures"), 1);
        }
        notes.add("Measured by " + (tool.isEmpty() ? "a tool that is not named" : tool)
                + ": latencies with another definition there are only in the copy of the source.");
        double most = load.number("concurrency").orElse(0);
        boolean limited = most >= 1 && most <= Integer.MAX_VALUE;
        Optional<ForeignFields> engine = engine(report);
        ForeignFields served = engine.orElse(report);
        return new ForeignRun.Builder("llm-d", report)
                .named(served.text("model.name", report.text("scenario.model.name", ForeignRun.UNNAMED)),
                        served.text("tool", served.text("name", "llm-d")), tool.isEmpty() ? "load" : tool)
                // A limited load has no rate of its own: tools write the number of requests there.
                .load(limited ? (int) most : 0, limited ? OptionalDouble.empty() : load.number("rate_qps"))
                .summary(summary).note(notes.toArray(String[]::new))
                .settings(engine.map(each -> each.settings(SERVER::contains)).orElse(Map.of()),
                        load.settings(LOAD::contains))
                .started(started(report)).build();
    }

    /// TTFT is the same everywhere. The others are ours where the tool's are.
    private static List<FigureField> latencies(String all, String tool) {
        String latency = all + "latency.";
        List<FigureField> fields = new ArrayList<>(
                List.of(new FigureField(latency + "time_to_first_token.%s", Metrics.SERVICE_TTFT, Summary.MS)));
        if (OF_VLLM.contains(tool)) {
            fields.add(new FigureField(latency + "inter_token_latency.%s", Metrics.INTER_CHUNK, Summary.MS));
            fields.add(new FigureField(latency + "time_per_output_token.%s", Metrics.TPOT, Summary.MS));
            fields.add(new FigureField(latency + "request_latency.%s", Metrics.SERVICE_E2E, Summary.MS));
        } else if (tool.equals("aiperf")) {
            fields.add(new FigureField(latency + "inter_token_latency.%s", Metrics.TPOT, Summary.MS));
            fields.add(new FigureField(latency + "request_latency.%s", Metrics.SERVICE_E2E, Summary.MS));
        }
        return fields;
    }

    /// The first engine of the stack.
    private static Optional<ForeignFields> engine(ForeignFields report) {
        for (JsonNode component : report.array("scenario.stack")) {
            if (component.at("/standardized/kind").asString("").equals("inference_engine")) {
                return Optional.of(new ForeignFields(report.file(), "scenario.stack.", component.path("standardized")));
            }
        }
        return report.array("scenario.platform.engine").stream().findFirst()
                .map(engine -> new ForeignFields(report.file(), "scenario.platform.engine.", engine));
    }

    private static Optional<FileDate> started(ForeignFields report) {
        OptionalDouble seconds = report.number("metrics.time.start");
        return seconds.isPresent() ? FileDate.ofEpochSeconds(seconds).map(instant -> new FileDate(instant, true))
                : FileDate.of(report.text("run.time.start", ""));
    }
}
