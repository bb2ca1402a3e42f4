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

    private SglangFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && file.documents().stream()
                .allMatch(run -> run.has("mean_e2e_latency_ms") && run.has("request_throughput"));
    }

    private static ForeignRun run(ForeignFields run) throws ResultFormatException {
        Summary summary = new Summary(run.count("completed", 0));
        summary.add(FigureField.ofServing("total_throughput"), run::number);
        List<Figure> ofRequests = new ServingArrays(run).latencies();
        summary.family(Metrics.SERVICE_TTFT, of -> run.number(of + "_ttft_ms"), Summary.MS);
        summary.family(Metrics.INTER_CHUNK, of -> run.number(of + "_itl_ms"), Summary.MS);
        run.array("generated_texts");
        List<Figure> figures = new ArrayList<>(ofRequests);
        summary.figures().stream().filter(figure -> RunFigures.find(ofRequests, figure.metric()).isEmpty())
                .forEach(figures::add);
        List<String> notes = ofRequests.isEmpty() ? List.of(
                "The file has no send times; its figures cannot be recomputed.",
                "Its E2E latency and TPOT include the time from the last token to the stream's end. They are only in the copy of the source.")
                : List.of("The file has no send times. The record does not contain its requests.",
                        "Latencies are computed from the request arrays up to the last chunk. Rates and window are the file's own.");
        notes = Stream.concat(notes.stream(), summary.note().stream()).toList();
        if (run.text("backend", "").matches("sglang(-native)?")) {
            notes = Stream.concat(notes.stream(), Stream.of(SHARES)).toList();
        }
        int concurrency = run.count("max_concurrency", 0);
        ForeignFields server = run.object("server_info");
        return new ForeignRun("SGLang", server.text("model_path", run.text("model", ForeignRun.UNNAMED)),
                run.text("backend", "sglang"), run.text("dataset_name", "serve"), concurrency,
                run.number("request_rate").orElse(0), List.of(), List.copyOf(figures), notes, ServingSettings.of(run),
                run.unread(), null);
    }
}
