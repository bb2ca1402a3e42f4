package org.inferometer.results.exchange;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.jspecify.annotations.Nullable;

/// One run of another tool in our terms. Instants that the tool does not record are absent.
///
/// @param tool name of the tool: "vLLM"
/// @param model as the tool names it
/// @param server the server, if the file names it; else the tool
/// @param workload a name for the load
/// @param concurrency limit of requests in flight; 0 if there is none
/// @param ratePerSecond rate of arrivals; 0 if there is none
/// @param requests in order of their numbers; empty for a summary
/// @param figures of the file that its requests do not give
/// @param notes sentences on what was not imported
/// @param settings of the server and of the load, as the file names them; runs are repetitions only if all are equal
/// @param unread names of fields that were not read
/// @param started the wall clock at instant 0; absent if not recorded
record ForeignRun(String tool, String model, String server, String workload, int concurrency, double ratePerSecond,
        List<RequestOutcome> requests, List<Figure> figures, List<String> notes, Settings settings, Set<String> unread,
        @Nullable Instant started) {

    /// The model of a file that does not name it.
    static final String UNNAMED = "";

    private static final int MOST_SHOWN = 32;

    /// Notes on requests that were not streamed or not counted; none if all were.
    static List<String> unstreamed(List<RequestOutcome> requests) {
        long whole = requests.stream().filter(RequestOutcome::whole).count();
        long uncounted = requests.stream().filter(request -> request.ok() && !request.answered()).count();
        List<String> sentences = new ArrayList<>();
        if (whole > 0) {
            sentences
                    .add(whole + " of " + requests.size() + " requests were not streamed and have no TTFT and no ITL.");
        }
        if (uncounted > 0) {
            sentences.add(uncounted + " of " + requests.size()
                    + " requests ended ok without a counted token. Latencies and token rates exclude them.");
        }
        return List.copyOf(sentences);
    }

    /// Settings by name, in the order of the file.
    record Settings(Map<String, String> ofServer, Map<String, String> ofLoad) {
        static final Settings NONE = new Settings(Map.of(), Map.of());

        /// One sentence with all of them; empty without any.
        Optional<String> sentence() {
            String all = Stream.of(ofServer, ofLoad).flatMap(each -> each.entrySet().stream()).limit(MOST_SHOWN)
                    .map(each -> each.getKey() + " " + each.getValue()).collect(Collectors.joining(", "));
            return all.isEmpty() ? Optional.empty() : Optional.of("Settings in the file: " + all + ".");
        }
    }

    /// The same run with one more note.
    ForeignRun withNote(String sentence) {
        List<String> more = Stream.concat(notes.stream(), Stream.of(sentence)).toList();
        return new ForeignRun(tool, model, server, workload, concurrency, ratePerSecond, requests, figures, more,
                settings, unread, started);
    }
}
