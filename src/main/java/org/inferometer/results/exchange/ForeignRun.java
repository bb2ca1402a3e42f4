package org.inferometer.results.exchange;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
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
    static final String SUMMARY = "The file is a summary; its figures cannot be recomputed.";

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

    /// Collects what a file says of a run. What it does not say stays absent.
    static final class Builder {
        private final String tool;
        private final ForeignFields fields;
        private final Set<String> unread = new TreeSet<>();
        private final List<String> notes = new ArrayList<>();
        private String model = UNNAMED;
        private String server;
        private String workload = "load";
        private int concurrency;
        private double ratePerSecond;
        private List<RequestOutcome> requests = List.of();
        private List<Figure> figures = List.of();
        private Settings settings = Settings.NONE;
        private @Nullable Instant started;

        /// @param fields those of the run, all of which are read when [#build] is called
        Builder(String tool, ForeignFields fields) {
            this.tool = tool;
            this.fields = fields;
            this.server = tool;
        }

        Builder named(String newModel, String newServer, String newWorkload) {
            model = newModel;
            server = newServer;
            workload = newWorkload;
            return this;
        }

        /// @param limit of requests in flight; 0 if there is none
        /// @param rate of arrivals; empty if there is none
        Builder load(int limit, OptionalDouble rate) {
            concurrency = limit;
            ratePerSecond = rate.orElse(0);
            return this;
        }

        /// The figures of a file without requests.
        Builder summary(Summary summary) {
            figures = summary.figures();
            notes.add(SUMMARY);
            return note(summary.note());
        }

        Builder requests(List<RequestOutcome> all, List<Figure> more) {
            requests = all;
            figures = more;
            return this;
        }

        Builder settings(Map<String, String> ofServer, Map<String, String> ofLoad) {
            settings = new Settings(ofServer, ofLoad);
            return this;
        }

        Builder started(Optional<FileDate> date) {
            date.filter(each -> !each.zoned()).ifPresent(each -> notes.add(FileDate.NO_ZONE));
            started = date.map(FileDate::instant).orElse(null);
            return this;
        }

        Builder note(String... sentences) {
            notes.addAll(List.of(sentences));
            return this;
        }

        Builder note(Optional<String> sentence) {
            sentence.ifPresent(notes::add);
            return this;
        }

        /// Names that were not read in other parts of the file.
        Builder unread(Set<String> names) {
            unread.addAll(names);
            return this;
        }

        ForeignRun build() {
            unread.addAll(fields.unread());
            return new ForeignRun(tool, model, server, workload, concurrency, ratePerSecond, requests, figures,
                    List.copyOf(notes), settings, unread, started);
        }
    }
}
