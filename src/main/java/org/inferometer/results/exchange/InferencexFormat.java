package org.inferometer.results.exchange;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// Rows of InferenceX (InferenceMAX): what its script makes of vLLM's file. Latencies in seconds, rates per GPU.
final class InferencexFormat {
    static final ForeignFormat FORMAT = ForeignFormat.ofRows("inferencex",
            file -> !file.documents().isEmpty()
                    && file.documents().stream().allMatch(row -> row.has("tput_per_gpu") && row.has("isl")),
            ForeignFormat.SEVERAL, "row", InferencexFormat::run);
    private static final List<FigureField> LATENCIES =
            List.of(new FigureField("%s_ttft", Metrics.SERVICE_TTFT, Summary.SECONDS),
                    new FigureField("%s_tpot", Metrics.TPOT, Summary.SECONDS),
                    new FigureField("%s_itl", Metrics.INTER_CHUNK, Summary.SECONDS),
                    new FigureField("%s_e2el", Metrics.SERVICE_E2E, Summary.SECONDS));
    private static final Set<String> LOAD = Set.of("isl", "osl", "conc", "random_range_ratio");
    private static final Set<String> SERVER = Set.of("hw", "device", "framework", "precision", "spec_decoding", "image",
            "disagg", "is_multinode", "tp", "pp", "ep", "dcp_size", "pcp_size", "dp_attention", "prefill_tp",
            "prefill_ep", "prefill_num_workers", "prefill_dp_attention", "decode_tp", "decode_ep", "decode_num_workers",
            "decode_dp_attention", "num_prefill_gpu", "num_decode_gpu");

    private InferencexFormat() {}

    private static ForeignRun run(ForeignFields row) throws ResultFormatException {
        boolean nodes = row.text("is_multinode", "false").equals("true");
        double gpus = nodes
                ? row.number("num_prefill_gpu").orElse(Double.NaN) + row.number("num_decode_gpu").orElse(Double.NaN)
                : row.number("tp").orElse(Double.NaN) * row.number("pp").orElse(1) * row.number("pcp_size").orElse(1);
        Summary summary = new Summary(0);
        ForeignRun.Builder built = new ForeignRun.Builder("InferenceX", row).note(
                "Its interactivity is 1 / TPOT of the same percentile, so its P99 is our P1. It is only in the copy of the source.");
        if (gpus >= 1) {
            summary.add(List.of(new FigureField("tput_per_gpu", Metrics.TOTAL_THROUGHPUT, gpus)), row);
            built.note("Token rates are those of the file per GPU, times " + Math.round(gpus) + " GPUs.");
        } else {
            built.note("The file does not give the number of GPUs, so its rates per GPU are left out.");
        }
        if (gpus >= 1 && !nodes) {
            summary.add(List.of(new FigureField("output_tput_per_gpu", Metrics.OUTPUT_THROUGHPUT, gpus)), row);
        } else if (nodes) {
            built.note("output_tput_per_gpu counts some of the GPUs, depending on the version: it is left out.");
        }
        return built.summary(summary.add(LATENCIES, row))
                .named(row.text("model", row.text("infmax_model_prefix", ForeignRun.UNNAMED)),
                        row.text("framework", "server"), row.text("isl", "?") + "/" + row.text("osl", "?"))
                .load(row.count("conc", 0), OptionalDouble.empty())
                .settings(row.settings(SERVER::contains), row.settings(LOAD::contains)).build();
    }
}
