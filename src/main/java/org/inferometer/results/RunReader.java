package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.inferometer.benchmark.RunEvent;
import org.inferometer.benchmark.RunManifest;
import org.inferometer.benchmark.RunRecord;
import org.inferometer.benchmark.RunStatus;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.measurement.RunObservations;
import org.inferometer.serving.StepReport;
import org.inferometer.telemetry.TelemetrySample;
import org.jspecify.annotations.Nullable;

/// Reads one run's folder: what is there, as far as it goes, with a note for everything that is not.
final class RunReader {
    private static final long DENSE = 4;
    private final Path folder;
    private final List<String> notes = new ArrayList<>();

    RunReader(Path folder) {
        this.folder = folder;
    }

    /// @throws ResultFormatException when a file is there and is not what it should be
    RunRecord read() throws IOException {
        RunManifest manifest = manifest();
        List<RequestOutcome> requests = requests();
        List<StepReport> steps = new ArrayList<>();
        StepRows stepRows = new StepRows();
        rows(StepRows.FILE, StepRows.COLUMNS, StepRows.MAX_ROWS, in -> steps.add(stepRows.read(in)));
        List<TelemetrySample> telemetry = new ArrayList<>();
        rows(TelemetryRows.FILE, TelemetryRows.COLUMNS, TelemetryRows.MAX_ROWS, in -> telemetry.add(TelemetryRows.read(in)));
        telemetry.sort(Comparator.comparingLong(TelemetrySample::nanos));
        List<RunEvent> events = new ArrayList<>();
        rows(EventRows.FILE, EventRows.COLUMNS, EventRows.MAX_ROWS, in -> events.add(EventRows.read(in)));
        events.stream().filter(event -> event.kind().equals(ResultFiles.IMPORTED)).map(RunEvent::detail).forEach(notes::add);
        RunObservations observations = new RunObservations(
                List.copyOf(requests), List.copyOf(steps), List.copyOf(telemetry), RunSetup.of(manifest), EngineEvents.of(events));
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return new RunRecord(name == null ? "" : name.toString(), manifest, observations, List.copyOf(events), List.copyOf(notes));
    }

    private RunManifest manifest() throws IOException {
        Path file = folder.resolve(RunRecorder.MANIFEST);
        RunManifest written = ManifestJson.readRun(file);
        RunSetup.requireSound(file, written);
        if (written.status() != RunStatus.RUNNING || LiveMarker.held(folder)) {
            return written;
        }
        notes.add("The process that measured this run vanished; what it had written is kept.");
        return written.ended(RunStatus.INTERRUPTED, "", written.droppedSamples(), null);
    }

    private List<RequestOutcome> requests() throws IOException {
        TokenReader.Tokens tokens = tokens();
        List<RequestOutcome> requests = new ArrayList<>();
        RequestRows rows = new RequestRows();
        int[] withoutTokens = {0};
        rows(RequestRows.FILE, RequestRows.COLUMNS, RequestRows.LEAST_COLUMNS, RequestRows.MAX_ROWS, in -> {
            RequestOutcome request = rows.read(in, tokens);
            if (request == null) {
                withoutTokens[0]++;
            } else {
                requests.add(request);
            }
        });
        if (withoutTokens[0] > 0) {
            notes.add(withoutTokens[0] + " requests whose token instants are not in " + RunRecorder.TOKENS + " were left out.");
        }
        return inOrder(requests);
    }

    /// In order of their numbers, which are dense in every record of ours: each has its place, and nothing need be compared.
    private List<RequestOutcome> inOrder(List<RequestOutcome> requests) throws ResultFormatException {
        RequestOutcome[] ordered = requests.toArray(RequestOutcome[]::new);
        int greatest = requests.stream().mapToInt(request -> request.id().index()).max().orElse(-1);
        if (greatest < DENSE * ordered.length) {
            RequestOutcome[] byNumber = new RequestOutcome[greatest + 1];
            for (RequestOutcome request : requests) {
                requireNew(byNumber[request.id().index()], request);
                byNumber[request.id().index()] = request;
            }
            int n = 0;
            for (RequestOutcome request : byNumber) {
                if (request != null) {
                    ordered[n++] = request;
                }
            }
            return Arrays.asList(ordered);
        }
        Arrays.sort(ordered, Comparator.comparingInt(request -> request.id().index()));
        for (int i = 1; i < ordered.length; i++) {
            requireNew(ordered[i].id().equals(ordered[i - 1].id()) ? ordered[i - 1] : null, ordered[i]);
        }
        return Arrays.asList(ordered);
    }

    private void requireNew(@Nullable RequestOutcome before, RequestOutcome request) throws ResultFormatException {
        if (before != null) {
            throw new ResultFormatException(folder.resolve(RequestRows.FILE), "request " + request.id() + " stands there twice.");
        }
    }

    private TokenReader.Tokens tokens() throws IOException {
        Path file = folder.resolve(RunRecorder.TOKENS);
        if (isMissing(file)) {
            return TokenReader.Tokens.none();
        }
        TokenReader.Tokens tokens = TokenReader.read(file);
        if (tokens.leftOutBytes() > 0) {
            notes.add("The last " + tokens.leftOutBytes() + " bytes of " + RunRecorder.TOKENS + " are cut off in mid-request and were left out.");
        }
        return tokens;
    }

    private interface RowReader {
        void row(CsvReader in) throws ResultFormatException;
    }

    private void rows(String name, List<String> columns, long maxRows, RowReader each) throws IOException {
        rows(name, columns, columns.size(), maxRows, each);
    }

    private void rows(String name, List<String> columns, int least, long maxRows, RowReader each) throws IOException {
        Path file = folder.resolve(name);
        if (isMissing(file)) {
            return;
        }
        try (CsvReader in = new CsvReader(file, columns, least, maxRows)) {
            while (in.next()) {
                each.row(in);
            }
            if (in.torn()) {
                notes.add("The last row of " + name + " is cut off and was left out.");
            }
        }
    }

    private boolean isMissing(Path file) {
        boolean missing = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        if (missing) {
            notes.add(file.getFileName() + " is missing.");
        }
        return missing;
    }
}
