package org.inferometer.results.exchange;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// `vllm bench serve --save-result`: one object per run, and one per line in append mode. Summaries are in milliseconds,
/// the arrays of `--save-detailed` in seconds.
final class VllmFormat {
    static final ForeignFormat FORMAT =
            ForeignFormat.ofRows("vllm", VllmFormat::fits, ForeignFormat.SEVERAL, "run", VllmFormat::run);

    private VllmFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && file.documents().stream().allMatch(
                run -> run.has("total_output_tokens") && run.has("completed") && !run.has("mean_e2e_latency_ms"));
    }

    private static ForeignRun run(ForeignFields run) throws ResultFormatException {
        List<String> notes = new ArrayList<>();
        ServingArrays arrays = new ServingArrays(run);
        List<RequestOutcome> requests = arrays.complete() ? arrays.requests() : List.of();
        List<Figure> figures = new ArrayList<>(requests.isEmpty() ? summary(run, notes) : List.of());
        if (requests.isEmpty()) {
            notes.add(
                    "The file is a summary; its figures cannot be recomputed. Save it with --save-detailed and a version that writes start_times.");
        } else {
            summary(run, new ArrayList<>()); // marks the summary as read; the requests give the same figures
            run.number("request_goodput")
                    .ifPresent(rate -> figures.add(new Figure(Metrics.GOODPUT, rate, requests.size(), true)));
        }
        if (requests.stream().allMatch(request -> request.intendedNanos() == RequestOutcome.ABSENT)) {
            notes.add(
                    "The file has no intended send times. TTFT and E2E latency from the intended instant are absent. The service latencies"
                            + " count from sending.");
        }
        run.number("completed");
        OptionalDouble rate = run.number("request_rate");
        int concurrency = run.count("max_concurrency", 0);
        run.array("generated_texts");
        Optional<Instant> started = started(run, notes);
        return new ForeignRun("vLLM", run.text("model_id", ForeignRun.UNNAMED),
                run.text("backend", run.text("endpoint_type", "vLLM")),
                run.text("label", run.text("dataset_name", "serve")), concurrency, rate.orElse(0), requests, figures,
                List.copyOf(notes), ServingSettings.of(run), run.unread(), started.orElse(null));
    }

    /// The start: the date of saving, after the last request, minus the duration.
    private static Optional<Instant> started(ForeignFields run, List<String> notes) throws ResultFormatException {
        Optional<FileDate> saved = FileDate.of(run.text("date", ""));
        OptionalDouble seconds = run.number("duration");
        if (saved.isEmpty() || seconds.isEmpty()) {
            return Optional.empty();
        }
        notes.add("The start is the date of saving minus the duration."
                + (saved.get().zoned() ? "" : " " + FileDate.NO_ZONE));
        return Optional
                .of(saved.get().instant().minusNanos(run.nanos("duration", seconds.getAsDouble(), Summary.SECONDS)));
    }

    private static List<Figure> summary(ForeignFields run, List<String> notes) throws ResultFormatException {
        Summary summary = new Summary(run.count("completed", 0));
        summary.add(FigureField.ofServing("total_token_throughput"), run::number).add(Metrics.GOODPUT,
                run.number("request_goodput"), 1);
        summary.family(Metrics.SERVICE_TTFT, of -> run.number(of + "_ttft_ms"), Summary.MS);
        summary.family(Metrics.TPOT, of -> run.number(of + "_tpot_ms"), Summary.MS);
        summary.family(Metrics.INTER_CHUNK, of -> run.number(of + "_itl_ms"), Summary.MS);
        summary.family(Metrics.SERVICE_E2E, of -> run.number(of + "_e2el_ms"), Summary.MS);
        summary.note().ifPresent(notes::add);
        return summary.figures();
    }
}
