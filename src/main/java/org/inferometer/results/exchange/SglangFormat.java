package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.Figure;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// SGLang's `bench_serving --output-file`: one object per line and run. The arrays of `--output-details` have no send times: they give
/// latencies, but requests cannot be placed in time.
final class SglangFormat {
    static final ForeignFormat FORMAT =
            ForeignFormat.ofRows("sglang", SglangFormat::fits, file -> true, "run", SglangFormat::run);
    private static final String SHARES =
            "SGLang divides the gap before a chunk among its tokens, so its itl hides stalls where chunks hold several.";

    private static final List<FigureField> SUMMARY = Stream.concat(FigureField.ofServing("total_throughput").stream(),
            Stream.of(new FigureField("%s_ttft_ms", Metrics.SERVICE_TTFT, Summary.MS),
                    new FigureField("%s_itl_ms", Metrics.INTER_CHUNK, Summary.MS),
                    new FigureField("accept_length", Metrics.SERVER_ACCEPTANCE_LENGTH, 1)))
            .toList();

    private SglangFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && file.documents().stream()
                .allMatch(run -> run.has("mean_e2e_latency_ms") && run.has("request_throughput"));
    }

    private static ForeignRun run(ForeignFields run) throws ResultFormatException {
        Summary summary = new Summary(run.count("completed", 0)).add(SUMMARY, run);
        List<Figure> ofRequests = new ServingArrays(run).latencies();
        run.array("generated_texts");
        List<Figure> figures = new ArrayList<>(ofRequests);
        summary.figures().stream().filter(figure -> RunFigures.find(ofRequests, figure.metric()).isEmpty())
                .forEach(figures::add);
        ForeignRun.Builder built = new ForeignRun.Builder("SGLang", run).requests(List.of(), List.copyOf(figures));
        built.note(ofRequests.isEmpty() ? new String[]{"The file has no send times; its figures cannot be recomputed.",
                "Its E2E latency and TPOT include the time from the last token to the stream's end. They are only in the copy of the source."}
                : new String[]{"The file has no send times. The record does not contain its requests.",
                        "Latencies are computed from the request arrays up to the last chunk. Rates and window are the file's own."})
                .note(summary.note());
        String backend = run.text("backend", "");
        if (backend.equals("sglang") || backend.equals("sglang-native")) {
            built.note(SHARES);
        }
        if (run.number("accept_length").orElse(0) > 0) {
            built.note("accept_length is the server's mean since its start.");
        }
        ForeignRun.Settings settings = ServingSettings.of(run);
        return built
                .named(run.text("server_info.model_path", run.text("model", ForeignRun.UNNAMED)),
                        run.text("backend", "sglang"), run.text("dataset_name", "serve"))
                .load(run.count("max_concurrency", 0), run.number("request_rate"))
                .settings(settings.ofServer(), settings.ofLoad()).build();
    }
}
