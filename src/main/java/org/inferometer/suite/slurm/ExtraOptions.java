package org.inferometer.suite.slurm;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.inferometer.units.CommandWords;
import org.inferometer.units.OneLine;

/// Options of `sbatch` that a user or a file adds to a job, as words.
///
/// `sbatch` takes the first word that is no option as the job's script, accepts the beginning of a long option's name, and bundles short
/// options. So a value may follow only options that take one, and names must be whole.
///
/// @see <a href="https://slurm.schedmd.com/sbatch.html">sbatch</a>
record ExtraOptions(List<String> words, boolean hasComment) {
    /// Options with which a job cannot be followed by its number, or that change what it runs and where it writes.
    private static final Set<String> REFUSED =
            Set.of("--array", "--wait", "--wrap", "--test-only", "--clusters", "--cluster", "--help", "--version",
                    "--usage", "--output", "--error", "--open-mode", "--job-name", "--parsable");
    private static final String REFUSED_LETTERS = "aWMhVoeJ";
    /// Names that begin as a refused one does and are whole.
    private static final Set<String> WHOLE = Set.of("--wait-all-nodes");
    private static final Set<String> WITH_VALUE = Set.of("--account", "--begin", "--chdir", "--cpus-per-gpu",
            "--cpus-per-task", "--comment", "--constraint", "--core-spec", "--cores-per-socket", "--deadline",
            "--delay-boot", "--dependency", "--distribution", "--exclude", "--export", "--extra", "--gpu-bind",
            "--gpu-freq", "--gpus", "--gpus-per-node", "--gpus-per-socket", "--gpus-per-task", "--gres", "--gres-flags",
            "--hint", "--input", "--licenses", "--mail-type", "--mail-user", "--mcs-label", "--mem", "--mem-bind",
            "--mem-per-cpu", "--mem-per-gpu", "--mincpus", "--network", "--nodefile", "--nodelist", "--nodes",
            "--ntasks", "--ntasks-per-core", "--ntasks-per-gpu", "--ntasks-per-node", "--ntasks-per-socket",
            "--partition", "--power", "--prefer", "--priority", "--profile", "--qos", "--reservation", "--segment",
            "--signal", "--sockets-per-node", "--switches", "--thread-spec", "--threads-per-core", "--time",
            "--time-min", "--tmp", "--tres-per-task", "--wckey");
    private static final String LETTERS_WITH_VALUE = "AbBCcdDFGiLmnNpqStwx";

    /// The words of a text.
    ///
    /// @throws IllegalArgumentException with what is wrong, to end a sentence: "--array, with which a job cannot be followed. Remove it."
    static ExtraOptions of(String text) {
        List<String> words;
        try {
            words = CommandWords.of(text.strip().replaceAll("[\\r\\n\\t]+", " "));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + OneLine.of(text) + "\". " + e.getMessage(), e);
        }
        boolean takesValue = false;
        boolean comment = false;
        for (String word : words) {
            if (takesValue) {
                takesValue = false;
            } else {
                Optional<String> fault = word.startsWith("--") ? longFault(word) : shortFault(word);
                if (fault.isPresent()) {
                    throw new IllegalArgumentException(fault.get());
                }
                takesValue = WITH_VALUE.contains(word) || (word.length() == 2 && isLetter(LETTERS_WITH_VALUE, word));
                comment |= word.split("=", 2)[0].equals("--comment");
            }
        }
        if (takesValue) {
            throw new IllegalArgumentException(words.getLast() + " at the end, which needs a value. Add it.");
        }
        return new ExtraOptions(words, comment);
    }

    private static Optional<String> longFault(String word) {
        String name = word.split("=", 2)[0];
        if (name.equals("--")) {
            return Optional.of("\"--\", which ends the options. Remove it.");
        }
        // getopt takes "--outp" for "--output".
        return REFUSED.stream().filter(refused -> refused.startsWith(name)).sorted().findFirst()
                .filter(refused -> !WITH_VALUE.contains(name) && !WHOLE.contains(name))
                .map(refused -> refused(name.equals(refused) ? name : name + " (" + refused + ")"));
    }

    private static Optional<String> shortFault(String word) {
        if (!word.startsWith("-") || word.length() < 2) {
            return Optional
                    .of("\"" + OneLine.of(word) + "\", which is no option. Write OPTION=VALUE, or quote the value.");
        }
        if (isLetter(REFUSED_LETTERS, word)) {
            return Optional.of(refused(word.substring(0, 2)));
        }
        // "-Ho x" would be -H and -o.
        return word.length() == 2 || isLetter(LETTERS_WITH_VALUE, word) ? Optional.empty()
                : Optional.of("\"" + OneLine.of(word) + "\". Write each short option by itself.");
    }

    private static boolean isLetter(String letters, String word) {
        return letters.indexOf(word.charAt(1)) >= 0;
    }

    private static String refused(String option) {
        return option + ", with which a job cannot be followed. Remove it.";
    }
}
