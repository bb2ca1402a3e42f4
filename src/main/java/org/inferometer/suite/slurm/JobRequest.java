package org.inferometer.suite.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmFeatures;
import org.inferometer.units.OneLine;

/// A batch job to submit.
///
/// @param name of the job; blanks and bars become hyphens, because files of finished jobs divide by them
/// @param output pattern of its output file: "slurm-%j.out" (%j the job, %x its name, %N its node); empty for Slurm's default
/// @param error as output; empty to write both into one file
/// @param script is copied by `sbatch`; later changes have no effect
/// @param scriptArguments arrive unchanged
public record JobRequest(String name, Allocation allocation, String output, String error, Path script,
        List<String> scriptArguments) {
    public JobRequest {
        scriptArguments = List.copyOf(scriptArguments);
    }

    /// The pattern of a file in a folder whose name may hold characters of patterns.
    public static String pattern(Path folder, String name) {
        return folder.toAbsolutePath().toString().replace("%", "%%") + "/" + name;
    }

    /// The arguments for this Slurm. What it lacks is left out, with a note.
    ///
    /// @param token becomes the job's comment, by which [Slurm#find] finds it
    /// @throws SlurmException if the extra options cannot be used
    public SbatchArguments arguments(SlurmFeatures features, String token) throws SlurmException {
        List<String> notes = new ArrayList<>();
        List<String> words = new ArrayList<>(List.of("--parsable"));
        text(words, "--partition", allocation.partition());
        text(words, "--account", allocation.account());
        text(words, "--time", allocation.time());
        text(words, "--job-name", OneLine.of(name).replaceAll("[\\s|]+", "-"));
        number(words, "--nodes", allocation.nodes());
        number(words, "--ntasks", allocation.tasks());
        number(words, "--ntasks-per-node", allocation.tasksPerNode());
        if (allocation.exclusive()) {
            words.add("--exclusive");
        }
        if (features.segment()) {
            number(words, "--segment", allocation.segmentNodes());
        } else if (allocation.segmentNodes() > 0) {
            notes.add("--segment=" + allocation.segmentNodes() + " is left out: Slurm " + features.version()
                    + " does not have it.");
        }
        words.addAll(extra(notes));
        // The last of equal options counts.
        text(words, "--output", output);
        text(words, "--error", error);
        // A repeated script would overwrite the records of the first.
        words.add("--no-requeue");
        words.add("--comment=" + token);
        words.add(script.toAbsolutePath().toString());
        words.addAll(scriptArguments);
        return new SbatchArguments(words, notes);
    }

    private static void text(List<String> words, String option, String value) {
        if (!value.isEmpty()) {
            words.add(option + "=" + value);
        }
    }

    private static void number(List<String> words, String option, int value) {
        if (value > 0) {
            words.add(option + "=" + value);
        }
    }

    private List<String> extra(List<String> notes) throws SlurmException {
        try {
            ExtraOptions extra = ExtraOptions.of(allocation.extra());
            if (extra.hasComment()) {
                notes.add("--comment is replaced: a comment marks the job, so that it is found again.");
            }
            return extra.words();
        } catch (IllegalArgumentException e) {
            throw new SlurmException(SlurmException.Kind.REFUSED,
                    "The extra options of job \"" + OneLine.of(name) + "\" have " + e.getMessage());
        }
    }

    /// The arguments of `sbatch`, without the command itself.
    ///
    /// @param notes sentences about what was left out or changed
    public record SbatchArguments(List<String> words, List<String> notes) {
        public SbatchArguments {
            words = List.copyOf(words);
            notes = List.copyOf(notes);
        }
    }

    /// The resources that a job requests. Empty texts and zeros leave a value to Slurm.
    ///
    /// @param time limit: "02:00:00", "1-12", minutes
    /// @param segmentNodes nodes of a block of the topology (`--segment`)
    /// @param extra more options of `sbatch` as on a command line: `--gres=gpu:4 --comment "a b"`. Quotes work as in a shell; nothing is
    /// expanded or executed.
    public record Allocation(String partition, String account, String time, int nodes, int tasks, int tasksPerNode,
            boolean exclusive, int segmentNodes, String extra) {
        /// Everything is left to Slurm.
        public static final Allocation DEFAULT = new Allocation("", "", "", 0, 0, 0, false, 0, "");

        /// The same with other options.
        public Allocation withExtra(String options) {
            return new Allocation(partition, account, time, nodes, tasks, tasksPerNode, exclusive, segmentNodes,
                    options);
        }
    }
}
