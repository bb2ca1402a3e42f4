package org.inferometer.results.exchange;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.results.ResultFormatException;
import org.inferometer.serving.RequestStatus;
import org.inferometer.serving.TokenSource;
import org.inferometer.workload.RequestId;
import tools.jackson.databind.JsonNode;

/// GuideLLM's `benchmarks.json`, version 2: several benchmarks, each with its requests and their timings in seconds of the wall clock.
final class GuideLlmFormat implements ForeignFormat {
    private static final int NEWEST = 2;

    @Override
    public String word() {
        return "guidellm";
    }

    @Override
    public boolean fits(ForeignFile file) {
        return file.documents().size() == 1 && file.documents().getFirst().path("benchmarks").isArray();
    }

    @Override
    public List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        Fields whole = new Fields(file, "", file.documents().getFirst());
        int version = whole.object("metadata").count("version", NEWEST);
        if (version > NEWEST) {
            throw file.fault("metadata.version is " + version + " and this program reads " + NEWEST + "; use a newer Inferometer.");
        }
        List<JsonNode> benchmarks = whole.array("benchmarks");
        List<ForeignRun> runs = new ArrayList<>();
        for (int i = 0; i < benchmarks.size(); i++) {
            runs.add(benchmark(new Fields(file, "benchmarks[" + i + "].", benchmarks.get(i))));
        }
        if (runs.isEmpty()) {
            throw file.fault("there is no benchmark in it.");
        }
        return runs;
    }

    private static ForeignRun benchmark(Fields benchmark) throws ResultFormatException {
        Fields config = benchmark.object("config");
        Fields strategy = config.object("strategy");
        String kind = strategy.text("type_", "benchmark");
        int streams = strategy.count("streams", strategy.count("max_concurrency", 0));
        OptionalDouble rate = strategy.number("rate");
        String workload = kind + (streams > 0 ? " " + streams : rate.isPresent() ? " " + rate.getAsDouble() : "");
        Set<String> unread = new TreeSet<>();
        Placed placed = requests(benchmark, unread);
        List<RequestOutcome> requests = placed.requests();
        Summary summary = new Summary(requests.size());
        List<String> notes = new ArrayList<>();
        if (requests.isEmpty()) {
            Fields metrics = benchmark.object("metrics");
            summary.add(Metrics.REQUEST_THROUGHPUT, metrics.object("requests_per_second").object("successful").number("mean"), 1)
                    .add(Metrics.OUTPUT_THROUGHPUT, metrics.object("output_tokens_per_second").object("successful").number("mean"), 1);
            Fields first = metrics.object("time_to_first_token_ms").object("successful");
            summary.family(Metrics.SERVICE_TTFT, of -> of.startsWith("p") ? first.object("percentiles").number(of) : first.number(of), Summary.MS);
            notes.add("The file holds no requests: its figures cannot be recomputed, and those that GuideLLM defines otherwise than we were left out.");
        } else {
            notes.add("GuideLLM keeps the first and the last instant of an answer, and nothing of the gaps between.");
            notes.add("Its instants are of the wall clock, which may have jumped.");
        }
        OptionalDouble begun = benchmark.number("start_time");
        Optional<Instant> started = FileDate.ofEpochSeconds(requests.isEmpty() ? begun : OptionalDouble.of(placed.anchorSeconds()));
        unread.addAll(benchmark.unread());
        return new ForeignRun("GuideLLM", config.object("backend").text("model", ForeignRun.UNNAMED), "GuideLLM", workload, streams, rate.orElse(0), requests,
                summary.figures(), List.copyOf(notes), unread, started.orElse(null));
    }

    /// @param anchorSeconds of the file's clock at instant 0 of the requests; infinite where there are none
    private record Placed(List<RequestOutcome> requests, double anchorSeconds) {}

    private static Placed requests(Fields benchmark, Set<String> unread) throws ResultFormatException {
        Fields groups = benchmark.object("requests");
        List<Fields> all = new ArrayList<>();
        List<RequestStatus> statuses = new ArrayList<>();
        List<String> names = List.of("successful", "incomplete", "errored");
        List<RequestStatus> meanings = List.of(RequestStatus.OK, RequestStatus.CANCELLED, RequestStatus.FAILED);
        for (int g = 0; g < names.size(); g++) {
            for (JsonNode request : groups.array(names.get(g))) {
                all.add(new Fields(benchmark.file(), names.get(g) + " request ", request));
                statuses.add(meanings.get(g));
            }
        }
        double anchor = Double.POSITIVE_INFINITY;
        for (Fields request : all) {
            Fields timings = request.object("info").object("timings");
            anchor = Math.min(anchor, Math.min(timings.number("request_start").orElse(Double.POSITIVE_INFINITY),
                    timings.number("targeted_start").orElse(Double.POSITIVE_INFINITY)));
        }
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            requests.add(request(all.get(i), i, statuses.get(i), anchor));
            unread.addAll(all.get(i).unread());
        }
        return new Placed(requests, anchor);
    }

    private static RequestOutcome request(Fields request, int number, RequestStatus status, double anchor) throws ResultFormatException {
        Fields timings = request.object("info").object("timings");
        long intended = instant(timings, "targeted_start", anchor);
        long sent = instant(timings, "request_start", anchor);
        long first = instant(timings, "first_token_iteration", anchor);
        long last = instant(timings, "last_token_iteration", anchor);
        long end = instant(timings, "request_end", anchor);
        int prompt = tokens(request.object("input_metrics"));
        boolean answered = status == RequestStatus.OK && first != RequestOutcome.ABSENT && last >= first;
        long[] instants = !answered ? new long[0] : last > first ? new long[] {first, last} : new long[] {first};
        int counted = tokens(request.object("output_metrics"));
        int output = answered ? Math.max(1, counted > 0 ? counted : request.object("info").object("timings").count("token_iterations", 1)) : 0;
        RequestStatus became = status == RequestStatus.OK && !answered ? RequestStatus.FAILED : status;
        String why = became == RequestStatus.OK ? "" : request.object("info").text("error", "GuideLLM calls it " + request.text("status", "not successful") + ".");
        long ended = end != RequestOutcome.ABSENT ? end : Math.max(sent, last);
        return new RequestOutcome(new RequestId(number), false, prompt, output, intended, sent, RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                ended == RequestOutcome.ABSENT ? 0 : ended, became, why, instants, output, counted > 0 ? TokenSource.SERVER_USAGE : TokenSource.CHUNKS);
    }

    private static int tokens(Fields metrics) throws ResultFormatException {
        return metrics.count("total_tokens", metrics.count("text_tokens", 0));
    }

    private static long instant(Fields timings, String name, double anchor) throws ResultFormatException {
        OptionalDouble seconds = timings.number(name);
        return seconds.isEmpty() ? RequestOutcome.ABSENT : timings.nanos(name, seconds.getAsDouble() - anchor, Summary.SECONDS);
    }
}
