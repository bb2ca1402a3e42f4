package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// `trtllm-bench --report_json`: one object with the summary of a run.
final class TrtllmBenchFormat {
    static final ForeignFormat FORMAT =
            new ForeignFormat("trtllm-bench", TrtllmBenchFormat::fits, ForeignFormat.SEVERAL, TrtllmBenchFormat::read);

    private static final List<FigureField> PERFORMANCE =
            List.of(new FigureField("request_throughput_req_s", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("system_output_throughput_tok_s", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("system_total_throughput_tok_s", Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField("total_latency_ms", Metrics.WINDOW, Summary.MS));

    private TrtllmBenchFormat() {}

    private static boolean fits(ForeignFile file) {
        return file.documents().size() == 1
                && file.documents().getFirst().path("performance").has("system_output_throughput_tok_s");
    }

    private static ForeignRun.Settings settings(ForeignFields report) {
        Map<String, String> server = new LinkedHashMap<>(report.object("engine")
                .settings(name -> List.of("version", "dtype", "kv_cache_dtype", "quantization").contains(name)));
        server.putAll(report.object("world_info").settings(name -> !name.equals("issue_rate")));
        Map<String, String> load = new LinkedHashMap<>(report.object("request_info")
                .settings(name -> List.of("num_requests", "avg_input_length", "avg_output_length").contains(name)));
        load.putAll(report.object("world_info").settings("issue_rate"::equals));
        return new ForeignRun.Settings(server, load);
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        ForeignFields report = new ForeignFields(file, "", file.documents().getFirst());
        ForeignFields request = report.object("request_info");
        ForeignFields performance = report.object("performance");
        ForeignFields streaming = report.object("streaming_metrics");
        Summary summary = new Summary(request.count("num_requests", 0));
        summary.add(PERFORMANCE, performance::number).family(Metrics.SERVICE_TTFT, of -> of.equals("mean")
                ? streaming.number("avg_ttft_ms") : streaming.object("ttft_percentiles").number(of), Summary.MS);
        // The mean number in flight is a result, not the limit that was asked for.
        double rate = report.object("world_info").number("issue_rate").orElse(0);
        List<String> notes = new ArrayList<>(List.of("The file is a summary; its figures cannot be recomputed.",
                "Its request latency ends with the stream, and its TPOT is 0 for one token. They are only in the copy of the source."));
        if (streaming.has("ttft_percentiles")) {
            notes.add("Percentiles of TTFT are single values (index ⌊n·p⌋).");
        }
        return List.of(new ForeignRun("trtllm-bench", report.object("engine").text("model", ForeignRun.UNNAMED),
                report.object("engine").text("backend", "TensorRT-LLM"), "bench", 0, rate, List.of(), summary.figures(),
                List.copyOf(notes), settings(report), report.unread(), null));
    }
}
