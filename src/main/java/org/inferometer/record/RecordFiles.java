package org.inferometer.record;

import java.util.List;
import java.util.Set;
import org.inferometer.units.LetterCase;

/// The files of a record, by name. Bundles, fetched records and those that a job left have no others.
public final class RecordFiles {
    /// What the experiment is and how it ended, in its folder.
    public static final String EXPERIMENT = "experiment.json";
    /// What a person wrote about a record, in its folder. It stays on the machine.
    public static final String NOTES = "notes.json";
    /// What a run is and how it ended, in the folder of the run, as all below.
    public static final String RUN = "run.json";
    public static final String TOKENS = "tokens.bin";
    public static final String REQUESTS = "requests.csv";
    public static final String STEPS = "steps.csv";
    public static final String TELEMETRY = "telemetry.csv";
    public static final String EVENTS = "events.jsonl";
    /// What a server wrote.
    public static final String SERVER_LOG = "server.log";
    /// The report of a worker's JVM that crashed.
    public static final String CRASH_REPORT = "worker-crash.log";

    /// Begins the name of the copy of an imported file.
    private static final String SOURCE = "source.";
    private static final List<String> SOURCE_ENDINGS =
            List.of("json", "jsonl", "csv", "tsv", "txt", "log", "sql", "md", "yaml", "yml");
    private static final Set<String> OF_RUN =
            Set.of(RUN, TOKENS, REQUESTS, STEPS, TELEMETRY, EVENTS, SERVER_LOG, CRASH_REPORT);

    private RecordFiles() {}

    /// The name of the copy of an imported file, with its ending if programs do not run files of that ending.
    public static String source(String ending) {
        String lower = LetterCase.lower(ending);
        return SOURCE + (SOURCE_ENDINGS.contains(lower) ? lower : "txt");
    }

    /// Whether a record has a file of that name beside its runs; notes are not passed on.
    public static boolean isOfExperiment(String name) {
        return name.equals(EXPERIMENT) || SOURCE_ENDINGS.stream().anyMatch(ending -> name.equals(SOURCE + ending));
    }

    /// Whether a run has a file of that name.
    public static boolean isOfRun(String name) {
        return OF_RUN.contains(name);
    }
}
