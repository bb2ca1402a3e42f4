package org.inferometer.results.exchange;

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

    private static final List<FigureField> FIGURES =
            List.of(new FigureField("performance.request_throughput_req_s", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("performance.system_output_throughput_tok_s", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("performance.system_total_throughput_tok_s", Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField("performance.total_latency_ms", Metrics.WINDOW, Summary.MS),
                    new FigureField("streaming_metrics.avg_ttft_ms", Metrics.SERVICE_TTFT.mean(), Summary.MS),
                    new FigureField("streaming_metrics.ttft_percentiles.%s", Metrics.SERVICE_TTFT, Summary.MS));

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
        Summary summary = new Summary(report.count("request_info.num_requests", 0)).add(FIGURES, report);
        Speculation.add(summary, report.number("decoding_stats.num_accepted_draft_tokens_percentiles.average"),
                report.number("decoding_stats.num_draft_tokens_percentiles.average"));
        ForeignRun.Settings settings = settings(report);
        ForeignRun.Builder built = new ForeignRun.Builder("trtllm-bench", report).summary(summary).note(
                "Its request latency ends with the stream, and its TPOT is 0 for one token. They are only in the copy of the source.");
        if (report.has("streaming_metrics.ttft_percentiles")) {
            built.note("Percentiles of TTFT are single values (index ⌊n·p⌋).");
        }
        if (report.has("decoding_stats.acceptance_length_percentiles")) {
            built.note(
                    "Its acceptance rate and length are means of requests; the acceptance here is that of all draft tokens.");
        }
        // The mean number in flight is a result, not the limit that was asked for.
        return List.of(built
                .named(report.text("engine.model", ForeignRun.UNNAMED), report.text("engine.backend", "TensorRT-LLM"),
                        "bench")
                .load(0, report.number("world_info.issue_rate")).settings(settings.ofServer(), settings.ofLoad())
                .build());
    }
}
