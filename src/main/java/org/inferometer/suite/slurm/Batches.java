package org.inferometer.suite.slurm;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.OneLine;

/// Divides tests into batches. The jobs of a batch are submitted together when its first test comes up. One thread.
public final class Batches {
    /// Jobs of a batch unless the user says otherwise.
    public static final int DEFAULT_SIZE = 5;
    /// The variable with the number of jobs of a batch.
    public static final String VARIABLE = "DISAGG_BATCH_SIZE";
    private static final String RULE = "=".repeat(70);

    /// Tests that are submitted together.
    ///
    /// @param number from 0
    /// @param from first test, from 0
    /// @param to after the last test
    public record Batch(int number, int from, int to) {
        /// Its jobs.
        public int jobs() {
            return to - from;
        }
    }

    private final int tests;
    private final int size;
    private final Set<Integer> taken = new HashSet<>();

    /// Of so many tests.
    ///
    /// @param size jobs of a batch; 0 puts all into one
    public Batches(int tests, int size) {
        if (tests < 0 || size < 0) {
            throw new IllegalArgumentException(tests + " tests, " + size + " a batch");
        }
        this.tests = tests;
        this.size = size;
    }

    /// The number of jobs of a batch: the option, else the variable, else 5.
    ///
    /// @throws IllegalArgumentException in a sentence if it is no number from 0
    public static int size(OptionalInt option, EnvironmentVariables environment) {
        if (option.isPresent()) {
            return checked("The batch size", String.valueOf(option.getAsInt()));
        }
        String value = environment.value(VARIABLE).map(String::strip).orElse("");
        return value.isEmpty() ? DEFAULT_SIZE : checked(VARIABLE, value);
    }

    private static int checked(String name, String value) {
        if (!value.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    name + " is \"" + OneLine.of(value) + "\". Give a whole number, 0 for one batch of all jobs.");
        }
        return Integer.parseInt(value);
    }

    /// The batch of a test if no test of it came up before; its jobs are to be submitted now.
    ///
    /// @param test from 0
    public Optional<Batch> due(int test) {
        int number = size == 0 ? 0 : test / size;
        int from = number * size;
        return taken.add(number)
                ? Optional.of(new Batch(number, from, size == 0 ? tests : Math.min(tests, from + size)))
                : Optional.empty();
    }

    /// Batches of all tests.
    public int count() {
        return size == 0 ? Math.min(1, tests) : Math.ceilDiv(tests, size);
    }

    /// What is printed before the first batch.
    public String initialized() {
        return RULE + "\nBatch Manager Initialized\nBatch size: " + (size == 0 ? "unlimited" : size + " jobs per batch")
                + "\n" + RULE + "\n\nTotal test configs: " + tests + "\nTotal batches: " + count();
    }

    /// What is printed before the jobs of a batch.
    public String submitting(Batch batch) {
        return RULE + "\nSubmitting Batch " + batch.number() + "\nRange: [" + batch.from() + ":" + batch.to() + "] ("
                + batch.jobs() + " jobs)\n" + RULE;
    }

    /// What is printed for a job: "  [  1/5] Job 1234 <- id".
    ///
    /// @param test from 0
    public static String submitted(Batch batch, int test, String job, String id) {
        return position(batch, test) + "Job " + job + " <- " + id;
    }

    /// What is printed for a job that was not submitted.
    public static String failed(Batch batch, int test, String reason, String id) {
        return position(batch, test) + "Failed: " + reason + " <- " + id;
    }

    private static String position(Batch batch, int test) {
        return String.format(Locale.ROOT, "  [%3d/%d] ", test - batch.from() + 1, batch.jobs());
    }
}
