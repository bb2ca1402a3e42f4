package org.inferometer.results.exchange;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.experiment.Cell;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.definitions.DefinedFigure;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.measurement.definitions.Redefinition;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The summary of a run as `trtllm-bench --report_json` writes it, under that tool's definitions. Machine, world and dataset are not in our
/// records and are left out.
final class TrtllmBenchReport {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private TrtllmBenchReport() {}

    /// @param requests the measured ones, at least one
    static String of(RunRecord run, List<RequestOutcome> requests) {
        Map<String, Double> figures =
                Redefinition.of(requests, run.observations().setup().load(), Definition.TRTLLM_BENCH, null).stream()
                        .filter(figure -> figure.theirs() != null)
                        .collect(Collectors.toMap(figure -> figure.metric().id(), DefinedFigure::theirs));
        Double windowNanos = figures.get(Metrics.WINDOW.id());
        if (windowNanos == null) {
            throw new IllegalArgumentException(run.folderName()
                    + " cannot be exported as trtllm-bench, which writes no report if a request fails.");
        }
        Cell cell = run.manifest().plan().cell();
        ObjectNode node = MAPPER.createObjectNode();
        node.putObject("engine").put("model", Exporter.model(run.manifest()))
                .put("engine_dir", cell.subject().model().orElse("")).put("backend", cell.subject().system());
        double busy = requests.stream().filter(request -> request.sentNanos() != RequestOutcome.ABSENT)
                .mapToDouble(request -> request.endNanos() - request.sentNanos()).sum();
        node.putObject("request_info").put("num_requests", requests.size())
                .put("avg_num_concurrent_requests", busy / windowNanos)
                .put("avg_input_length",
                        requests.stream().mapToInt(RequestOutcome::promptTokens).average().orElseThrow())
                .put("avg_output_length",
                        requests.stream().mapToInt(RequestOutcome::outputTokens).average().orElseThrow());
        ObjectNode performance = node.putObject("performance").put("total_latency_ms", windowNanos / Summary.MS);
        put(performance, "avg_request_latency_ms", figures.get(Metrics.E2E.mean().id()), Summary.MS);
        put(performance, "request_throughput_req_s", figures.get(Metrics.REQUEST_THROUGHPUT.id()), 1);
        put(performance, "system_output_throughput_tok_s", figures.get(Metrics.OUTPUT_THROUGHPUT.id()), 1);
        put(performance, "system_total_throughput_tok_s", figures.get(Metrics.TOTAL_THROUGHPUT.id()), 1);
        percentiles(performance, "request_latency_percentiles_ms", figures, Metrics.E2E.id());
        ObjectNode streaming = node.putObject("streaming_metrics");
        put(streaming, "avg_ttft_ms", figures.get(Metrics.TTFT.mean().id()), Summary.MS);
        put(streaming, "avg_tpot_ms", figures.get(Metrics.TPOT.mean().id()), Summary.MS);
        percentiles(streaming, "ttft_percentiles", figures, Metrics.TTFT.id());
        percentiles(streaming, "tpot_percentiles", figures, Metrics.TPOT.id());
        return MAPPER.writeValueAsString(node) + "\n";
    }

    private static void percentiles(ObjectNode node, String name, Map<String, Double> figures, String family) {
        ObjectNode percentiles = node.putObject(name);
        for (int percent : List.of(50, 90, 95, 99)) {
            put(percentiles, "p" + percent, figures.get(family + "_p" + percent), Summary.MS);
        }
        put(percentiles, "average", figures.get(family + "_mean"), Summary.MS);
    }

    private static void put(ObjectNode node, String name, @Nullable Double value, double scale) {
        if (value != null) {
            node.put(name, value / scale);
        }
    }
}
