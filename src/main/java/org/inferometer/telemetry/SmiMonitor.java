package org.inferometer.telemetry;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Reads a GPU through one nvidia-smi process that prints a line every half second, until closed.
///
/// A reading is the latest line and so up to that much older than its instant; once the tool has been silent for two seconds or has
/// ended, nothing is told any more, and a line that began longer ago tells nothing either. Lines that make no sense are left out, and
/// a tool that floods its pipe is ended.
final class SmiMonitor implements GpuMonitor {
    static final int PERIOD_MILLIS = 500;
    private static final long STALE_NANOS = 2_000_000_000L;
    private static final long PROCESSES_STALE_NANOS = 10_000_000_000L;
    private static final long NEVER = Long.MIN_VALUE;
    private static final int LONGEST_LINE = 4096;
    private static final int MOST_BYTES_A_SECOND = 64 << 10;

    private final SmiCommand smi;
    private final String uuid;
    private final GpuDescription description;
    private final List<String> fields;
    private final Process process;
    private final Clock clock;
    private Optional<List<GpuProcess>> processes = Optional.empty();
    private long processesNanos = NEVER;
    private volatile @Nullable Reading latest;
    private volatile boolean closed;

    private record Reading(GpuSample sample, long nanos) {}

    /// @param first a row of readings that was asked for separately, so that there is one at once
    private SmiMonitor(SmiCommand smi, String uuid, GpuDescription description, Map<String, String> first,
            Process process, Clock clock) {
        this.smi = smi;
        this.uuid = uuid;
        this.description = description;
        this.fields = List.copyOf(first.keySet());
        this.process = process;
        this.clock = clock;
        this.latest = new Reading(SmiFields.sample(description.index(), first), clock.nanos());
    }

    /// Opens a GPU that the tool has told of.
    ///
    /// @param row what it told of the card
    /// @throws GpuException when it tells no readings
    static SmiMonitor open(SmiCommand smi, Map<String, String> row, Clock clock) throws GpuException {
        GpuDescription description = SmiFields.description(row);
        String uuid = row.getOrDefault("uuid", "");
        String id = uuid.isEmpty() ? Integer.toString(description.index()) : uuid;
        Map<String, String> first = smi.ask(SmiFields.QUERY_GPU, SmiFields.OF_A_SAMPLE, id).stream().findFirst()
                .orElseThrow(() -> new GpuException("nvidia-smi tells no readings of GPU " + description.index()));
        List<String> line = new ArrayList<>(smi.line(SmiFields.QUERY_GPU, List.copyOf(first.keySet()), id));
        line.addAll(List.of("-lms", Integer.toString(PERIOD_MILLIS)));
        SmiMonitor monitor = new SmiMonitor(smi, id, description, first, SmiCommand.start(line), clock);
        Thread.ofPlatform().name("nvidia-smi").daemon().start(monitor::listen);
        return monitor;
    }

    @Override
    public GpuDescription description() {
        return description;
    }

    @Override
    public GpuSample read() {
        Reading reading = latest;
        return closed || reading == null || clock.nanos() - reading.nanos() > STALE_NANOS
                ? GpuSample.unread(description.index()) : reading.sample();
    }

    /// As the interface says, but up to ten seconds old, since the tool takes a second to answer.
    @Override
    public Optional<List<GpuProcess>> processes() {
        boolean fresh = processesNanos != NEVER && clock.nanos() - processesNanos <= PROCESSES_STALE_NANOS;
        return fresh ? processes : processesAnew();
    }

    @Override
    public Optional<List<GpuProcess>> processesAnew() {
        Optional<List<GpuProcess>> now = askForProcesses();
        processes = now;
        processesNanos = clock.nanos();
        return now;
    }

    private Optional<List<GpuProcess>> askForProcesses() {
        try {
            List<GpuProcess> found = new ArrayList<>();
            for (Map<String, String> row : smi.ask(SmiFields.QUERY_PROCESSES, SmiFields.OF_A_PROCESS, uuid)) {
                double pid = SmiFields.number(row, "pid");
                if (pid >= 0 && pid < 1L << 32) {
                    found.add(new GpuProcess((long) pid, SmiFields.bytes(SmiFields.number(row, "used_gpu_memory"))));
                }
            }
            return Optional.of(List.copyOf(found));
        } catch (GpuException silent) {
            return Optional.empty();
        }
    }

    @Override
    public boolean readThroughTool() {
        return true;
    }

    /// Ends the tool and what it started, by force where it does not listen; nothing is told any more.
    @Override
    public void close() {
        closed = true;
        // What a script in the tool's place has started would outlive it.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroy();
        try {
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException wanted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /// Whether the tool still runs.
    boolean running() {
        return process.isAlive();
    }

    private void listen() {
        byte[] heard = new byte[LONGEST_LINE];
        DatedLines lines = new DatedLines(LONGEST_LINE, this::hear);
        long second = clock.nanos();
        int heardThisSecond = 0;
        try (InputStream out = process.getInputStream()) {
            for (int n = out.read(heard); n >= 0 && heardThisSecond <= MOST_BYTES_A_SECOND; n = out.read(heard)) {
                long now = clock.nanos();
                lines.take(heard, n, now);
                boolean sameSecond = now - second < 1_000_000_000L;
                heardThisSecond = sameSecond ? heardThisSecond + n : n;
                second = sameSecond ? second : now;
            }
        } catch (IOException ended) {
            // Closing ends it like this.
        }
        latest = null;
        process.destroyForcibly();
    }

    private void hear(String line, long begunNanos) {
        SmiCommand.row(line, fields)
                .ifPresent(row -> latest = new Reading(SmiFields.sample(description.index(), row), begunNanos));
    }
}
