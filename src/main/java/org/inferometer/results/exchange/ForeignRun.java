package org.inferometer.results.exchange;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.jspecify.annotations.Nullable;

/// One run of another tool in our terms. Instants that the tool does not tell are absent.
///
/// @param tool whose file it was: "vLLM"
/// @param model as the tool names it
/// @param server what served it, where the tool tells; else the tool's name
/// @param workload a name for what was asked
/// @param concurrency most requests in flight, where that was the limit; else 0
/// @param ratePerSecond rate of arrivals, where that was asked; else 0
/// @param requests in order of their numbers; empty where the file only sums up
/// @param figures those that the file gives and that cannot be derived from its requests
/// @param notes sentences about what could not be taken over
/// @param unread names of fields that nobody read
/// @param started the wall clock at instant 0; absent where the file does not tell
record ForeignRun(String tool, String model, String server, String workload, int concurrency, double ratePerSecond,
        List<RequestOutcome> requests, List<Figure> figures, List<String> notes, Set<String> unread,
        @Nullable Instant started) {

    /// The model of a file that names none.
    static final String UNNAMED = "";

    /// A run of a file that tells no date.
    ForeignRun(String tool, String model, String server, String workload, int concurrency, double ratePerSecond,
            List<RequestOutcome> requests, List<Figure> figures, List<String> notes, Set<String> unread) {
        this(tool, model, server, workload, concurrency, ratePerSecond, requests, figures, notes, unread, null);
    }

    /// What is to be said of answers that came in one piece; nothing where all were streamed.
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

    /// The same with one more sentence.
    ForeignRun noting(String sentence) {
        List<String> more = Stream.concat(notes.stream(), Stream.of(sentence)).toList();
        return new ForeignRun(tool, model, server, workload, concurrency, ratePerSecond, requests, figures, more,
                unread, started);
    }
}
