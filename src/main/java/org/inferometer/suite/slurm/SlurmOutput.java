package org.inferometer.suite.slurm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.units.LinearPatterns;
import org.inferometer.units.OneLine;

/// Reads what the commands of Slurm print. Lines that do not fit are skipped.
@LinearPatterns("A pattern is a fixed text, and what must not stand beside it.")
final class SlurmOutput {
    /// Number, state, reason, elapsed time, nodes.
    static final String SQUEUE_FORMAT = "%i|%T|%r|%M|%N";
    static final String SACCT_FORMAT = "JobIDRaw,State,ExitCode,Elapsed,NodeList";

    private static final Pattern SUBMITTED = Pattern.compile("(?:Submitted batch job )?(\\d+)(?:;\\S*)?");
    // The name comes before these fields and may hold anything; the command comes after them.
    private static final Pattern SHOWN_JOB = Pattern.compile(" JobState=(\\S+) Reason=");
    private static final String AFTER_REASON = " Dependency=";
    private static final Pattern SHOWN_ID = Pattern.compile("^JobId=(\\d+)(?= )");
    private static final Pattern SHOWN_EXIT = Pattern.compile(" ExitCode=(\\d+:\\d+) RunTime=(\\S+) ");
    private static final Pattern SHOWN_NODES = Pattern.compile(" ExcNodeList=\\S+ NodeList=(\\S+) ");

    private SlurmOutput() {}

    /// The number that `sbatch` printed, with or without `--parsable`.
    static Optional<String> submitted(String out) {
        return out.lines().map(line -> SUBMITTED.matcher(line.stripTrailing())).filter(Matcher::matches).findFirst()
                .map(found -> found.group(1));
    }

    /// The jobs of `squeue`, by number. A job of several parts counts by its first.
    static Map<String, JobStatus> squeue(String out) {
        Map<String, JobStatus> jobs = new LinkedHashMap<>();
        for (String line : out.split("\n")) {
            String[] cells = line.strip().split("\\|", -1);
            String id = cells[0].split("[_+]", 2)[0];
            if (cells.length == 5 && isNumber(id) && !cells[1].isBlank()) {
                jobs.putIfAbsent(id, status(id, cells[1], cells[2], "", cells[3], cells[4]));
            }
        }
        return jobs;
    }

    /// A job of `sacct -n -P -X` in [#SACCT_FORMAT].
    static Optional<JobStatus> sacct(String out, String id) {
        for (String line : out.split("\n")) {
            String[] cells = line.strip().split("\\|", -1);
            if (cells.length == 5 && cells[0].equals(id)) {
                return Optional.of(status(id, cells[1], "", cells[2], cells[3], cells[4]));
            }
        }
        return Optional.empty();
    }

    /// A job of `scontrol -o show job`.
    static Optional<JobStatus> scontrol(String out, String id) {
        Matcher number = SHOWN_ID.matcher(out);
        Matcher state = SHOWN_JOB.matcher(out);
        if (!number.find() || !number.group(1).equals(id) || !state.find()) {
            return Optional.empty();
        }
        int end = out.indexOf(AFTER_REASON, state.end());
        if (end < 0) {
            return Optional.empty();
        }
        Matcher exit = SHOWN_EXIT.matcher(out);
        boolean exited = exit.find(end);
        Matcher nodes = SHOWN_NODES.matcher(out);
        return Optional.of(status(id, state.group(1), out.substring(state.end(), end), exited ? exit.group(1) : "",
                exited ? exit.group(2) : "", nodes.find(end) ? nodes.group(1) : ""));
    }

    /// A job of `sacct -c -P`, the file of completed jobs, whose first line names the columns.
    static Optional<JobStatus> completed(String out, String id) {
        List<String> names = List.of();
        for (String line : out.split("\n")) {
            List<String> cells = List.of(line.strip().split("\\|", -1));
            if (names.isEmpty()) {
                names = cells;
            } else if (cells.size() == names.size() && cell(names, cells, "JobID").equals(id)
                    && !cell(names, cells, "State").isBlank()) {
                return Optional.of(status(id, cell(names, cells, "State"), "", "", "", cell(names, cells, "NodeList")));
            }
        }
        return Optional.empty();
    }

    private static String cell(List<String> names, List<String> cells, String name) {
        int at = names.indexOf(name);
        return at < 0 ? "" : cells.get(at);
    }

    /// The lowest number among lines that begin with a number and a bar and have the token as a word.
    static Optional<String> withToken(String out, String token) {
        Pattern marked = Pattern.compile("(?<![\\w-])" + Pattern.quote(token) + "(?![\\w-])");
        List<Long> ids = new ArrayList<>();
        for (String line : out.split("\n")) {
            String id = line.split("[|_+.]", 2)[0];
            if (isNumber(id) && line.contains("|") && marked.matcher(line.substring(line.indexOf('|'))).find()) {
                ids.add(Long.valueOf(id));
            }
        }
        return ids.stream().min(Long::compare).map(String::valueOf);
    }

    private static boolean isNumber(String text) {
        return text.length() <= 18 && text.matches("[0-9]+");
    }

    private static JobStatus status(String id, String word, String reason, String exit, String elapsed, String nodes) {
        return new JobStatus(id, JobState.of(word), OneLine.of(word), plain(reason), plain(exit), plain(elapsed),
                plain(nodes));
    }

    /// Slurm writes "None", "(null)" and "None assigned" where it has no value.
    private static String plain(String value) {
        String text = OneLine.of(value);
        return text.equals("None") || text.equals("(null)") || text.equals("None assigned") ? "" : text;
    }
}
