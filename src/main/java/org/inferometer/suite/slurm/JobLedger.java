package org.inferometer.suite.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.inferometer.results.AtomicFile;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmException.Kind;
import org.inferometer.units.Clock;

/// The file of a session's jobs, so that a restarted program finds them and submits none twice. One process; any thread.
///
/// An intent with a unique token is written before a submission, the number after it. A line holds token, time, number ("-" for an
/// intent) and key, divided by tabs.
public final class JobLedger {
    private static final String HEAD = "# jobs of a session, format 1: token, time, number, key";
    private static final String NO_NUMBER = "-";
    private static final int MOST_BYTES = 8 << 20;

    /// A job.
    ///
    /// @param key what it runs: the id of a test
    /// @param token the job's comment
    /// @param submitted when its submission began
    /// @param id its number; empty if the submission is open
    public record Entry(String key, String token, Instant submitted, String id) {
        private String line() {
            return String.join("\t", token, submitted.toString(), id.isEmpty() ? NO_NUMBER : id, key);
        }
    }

    private final Path file;
    private final Clock clock;
    private volatile Map<String, Entry> entries;

    private JobLedger(Path file, Clock clock, Map<String, Entry> entries) {
        this.file = file;
        this.clock = clock;
        this.entries = entries;
    }

    /// The jobs of a file; none if it does not exist.
    ///
    /// @throws IOException with the line that cannot be read
    public static JobLedger open(Path file, Clock clock) throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MOST_BYTES) {
                throw unusable(file + " is no regular file, or longer than 8 MiB.");
            }
            List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
                throw unreadable(file, 1);
            }
            for (int i = 1; i < lines.size(); i++) {
                if (!add(entries, lines.get(i))) {
                    throw unreadable(file, i + 1);
                }
            }
        }
        return new JobLedger(file, clock, entries);
    }

    private static IOException unreadable(Path file, int line) {
        return unusable(file + ", line " + line + ": no list of jobs.");
    }

    private static IOException unusable(String why) {
        return new IOException(why + " Jobs may still run; see squeue before you remove the file.");
    }

    private static boolean add(Map<String, Entry> entries, String line) {
        String[] cells = line.split("\t", 4);
        try {
            if (cells.length < 4 || !cells[0].matches("[\\w-]+") || !cells[2].matches("-|[0-9]+")) {
                return false;
            }
            Entry entry =
                    new Entry(cells[3], cells[0], Instant.parse(cells[1]), cells[2].equals(NO_NUMBER) ? "" : cells[2]);
            return entries.put(entry.key(), entry) == null;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /// All jobs and intents, in the order of their submission.
    public List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /// The job of a key; empty if it has none, or if its submission is open.
    public Optional<Entry> job(String key) {
        return Optional.ofNullable(entries.get(key)).filter(entry -> !entry.id().isEmpty());
    }

    /// Whether it is open if a key's job was submitted: its intent has no number. A repeated submission finds out.
    public boolean isOpen(String key) {
        Entry entry = entries.get(key);
        return entry != null && entry.id().isEmpty();
    }

    /// The job of a key: the one that was submitted before, else a new one.
    ///
    /// @param key on one line
    /// @throws SlurmException if Slurm refuses it, or if it is open whether the job was submitted; a repetition finds out
    public synchronized Entry submit(String key, JobRequest request, Slurm slurm)
            throws IOException, SlurmException, InterruptedException {
        if (key.isEmpty() || key.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("key \"" + key + "\"");
        }
        Entry intent = entries.get(key);
        if (intent == null) {
            intent = new Entry(key, "inferometer-" + UUID.randomUUID(), clock.wall(), "");
            put(intent);
        } else if (intent.id().isEmpty()) {
            Optional<String> found = found(intent, slurm);
            if (found.isPresent()) {
                return numbered(intent, found.get());
            }
        } else {
            return intent;
        }
        try {
            return numbered(intent, slurm.submit(request, intent.token()));
        } catch (SlurmException e) {
            if (e.kind() != Kind.UNANSWERED) {
                remove(key);
                throw e;
            }
            return numbered(intent, accepted(intent, slurm).orElseThrow(() -> e));
        }
    }

    /// A submission under a clock that was ahead would not be found from its time on, and its job would be submitted twice.
    private Optional<String> found(Entry intent, Slurm slurm) throws SlurmException, InterruptedException {
        Instant now = clock.wall();
        return slurm.find(intent.token(), intent.submitted().isBefore(now) ? intent.submitted() : now);
    }

    /// The controller may have accepted a job before its answer was lost.
    private Optional<String> accepted(Entry intent, Slurm slurm) throws InterruptedException {
        try {
            return found(intent, slurm);
        } catch (SlurmException e) {
            // It does not answer this either; the intent stays for a repetition.
            return Optional.empty();
        }
    }

    /// Forgets a job, so that its key is submitted again.
    public synchronized void remove(String key) throws IOException {
        Map<String, Entry> changed = new LinkedHashMap<>(entries);
        if (changed.remove(key) != null) {
            write(changed);
        }
    }

    private Entry numbered(Entry intent, String id) throws IOException {
        Entry job = new Entry(intent.key(), intent.token(), intent.submitted(), id);
        put(job);
        return job;
    }

    private void put(Entry entry) throws IOException {
        Map<String, Entry> changed = new LinkedHashMap<>(entries);
        changed.put(entry.key(), entry);
        write(changed);
    }

    private void write(Map<String, Entry> changed) throws IOException {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        changed.values().forEach(entry -> text.append(entry.line()).append('\n'));
        AtomicFile.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
        entries = changed;
    }
}
