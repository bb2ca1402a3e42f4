package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TokenSource;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.OneLine;
import org.inferometer.workload.RequestId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;

/// The arrays of vLLM and SGLang with one entry per request: `start_times`, `ttfts`, `itls`, `input_lens`, `output_lens`, `errors`, and
/// `queue_times` in newer files. All times in seconds.
final class ServingArrays {
    /// Prefixes of the ids of figures that do not depend on send times.
    private static final List<String> NOT_IN_TIME = List.of("service_ttft_", "service_e2e_", "decode_latency_", "tpot_",
            "inter_chunk_", "interactivity_", "requests_");

    private final ForeignFields fields;
    private List<JsonNode> starts;
    private final List<JsonNode> firsts;
    private final List<JsonNode> gaps;
    private final List<JsonNode> errors;
    private final List<JsonNode> queues;
    private final List<JsonNode> latencies;

    ServingArrays(ForeignFields fields) {
        this.fields = fields;
        this.starts = fields.array("start_times");
        this.firsts = fields.array("ttfts");
        this.gaps = fields.array("itls");
        this.errors = fields.array("errors");
        this.queues = fields.array("queue_times");
        this.latencies = fields.array("latencies");
    }

    /// Whether the file has send times.
    boolean complete() {
        return !starts.isEmpty() && !firsts.isEmpty();
    }

    /// Latencies and counts without send times, each request counted from 0; none without arrays.
    List<Figure> latencies() throws ResultFormatException {
        if (firsts.isEmpty() || gaps.isEmpty()) {
            return List.of();
        }
        List<JsonNode> together = new ArrayList<>();
        firsts.forEach(first -> together.add(IntNode.valueOf(0)));
        starts = together;
        return RunFigures
                .of(new RunObservations(requests(), List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0)))
                .stream().filter(figure -> NOT_IN_TIME.stream().anyMatch(figure.metric().id()::startsWith)).toList();
    }

    /// The requests, the earliest instant at 0.
    List<RequestOutcome> requests() throws ResultFormatException {
        List<JsonNode> prompts = fields.array("input_lens");
        List<JsonNode> outputs = fields.array("output_lens");
        if (firsts.size() != starts.size() || gaps.size() != starts.size() || prompts.size() != starts.size()
                || outputs.size() != starts.size()) {
            throw fields.file()
                    .fault("the arrays of requests have different lengths: " + starts.size() + " start_times, "
                            + firsts.size() + " ttfts, " + gaps.size() + " itls, " + prompts.size() + " input_lens, "
                            + outputs.size() + " output_lens. The file is incomplete or was changed.");
        }
        double anchor = Double.POSITIVE_INFINITY;
        for (int i = 0; i < starts.size(); i++) {
            anchor = Math.min(anchor, seconds("start_times", starts.get(i)) - queue(i).orElse(0));
        }
        List<RequestOutcome> requests = new ArrayList<>(starts.size());
        for (int i = 0; i < starts.size(); i++) {
            requests.add(request(i, anchor, fields.count("input_lens", ForeignFields.number(prompts.get(i)).orElse(0)),
                    fields.count("output_lens", ForeignFields.number(outputs.get(i)).orElse(0))));
        }
        return requests;
    }

    private RequestOutcome request(int i, double anchor, int prompt, int output) throws ResultFormatException {
        long sent = fields.nanos("start_times", seconds("start_times", starts.get(i)) - anchor, Summary.SECONDS);
        OptionalDouble queue = queue(i);
        long intended = queue.isEmpty() ? RequestOutcome.ABSENT
                : sent - fields.nanos("queue_times", queue.getAsDouble(), Summary.SECONDS);
        String error = i < errors.size() && errors.get(i).isString() ? lastLine(errors.get(i).stringValue()) : "";
        List<JsonNode> between = new ArrayList<>();
        gaps.get(i).forEach(between::add);
        boolean answered = error.isEmpty() && output > 0;
        // Answers that were not streamed have 0 for the first token, and newer files their latency.
        boolean streamed = answered && seconds("ttfts", firsts.get(i)) != 0;
        long[] tokens = new long[streamed ? between.size() + 1 : 0];
        long at = streamed || !answered || i >= latencies.size() ? sent
                : fields.after(sent, "latencies", seconds("latencies", latencies.get(i)), Summary.SECONDS);
        for (int t = 0; t < tokens.length; t++) {
            String name = t == 0 ? "ttfts" : "itls";
            at = fields.after(at, name, seconds(name, t == 0 ? firsts.get(i) : between.get(t - 1)), Summary.SECONDS);
            tokens[t] = at;
        }
        RequestStatus status = answered ? RequestStatus.OK : RequestStatus.FAILED;
        return new RequestOutcome(new RequestId(i), false, prompt, output, intended, sent, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, at, status,
                answered || !error.isEmpty() ? error : "The file gives no output count and no reason.", tokens,
                split(tokens.length, output), answered ? output : 0, TokenSource.SERVER_USAGE, 0);
    }

    /// SGLang's own client writes a share of the gap for each token behind the first event. Others write one gap for each event.
    private int[] split(int entries, int output) {
        String backend = fields.text("backend", "");
        if (entries == 0 || output == entries) {
            return new int[0];
        }
        if (output < entries || !(backend.equals("sglang") || backend.equals("sglang-native"))) {
            return new int[entries];
        }
        int[] tokens = new int[entries];
        Arrays.fill(tokens, 1);
        tokens[0] = output - entries + 1;
        return tokens;
    }

    private OptionalDouble queue(int i) {
        return i < queues.size() ? ForeignFields.number(queues.get(i)) : OptionalDouble.empty();
    }

    private double seconds(String name, JsonNode value) throws ResultFormatException {
        return ForeignFields.number(value)
                .orElseThrow(() -> fields.file().fault(name + " has a value that is not a finite number."));
    }

    static String lastLine(String text) {
        return OneLine.of(text.strip().lines().reduce((one, last) -> last).orElse(""));
    }
}
