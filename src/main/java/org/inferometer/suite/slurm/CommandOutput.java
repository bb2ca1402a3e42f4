package org.inferometer.suite.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmException.Kind;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;

/// What a command of Slurm printed.
///
/// @param status its exit code
/// @param error its messages on one line, without Slurm's prefixes
record CommandOutput(int status, String out, String error) {
    private static final int MOST_BYTES = 16 << 20;
    private static final long READ_SECONDS = 5;
    /// Filters and formats of users, which would hide jobs, and variables of an allocation that this program may run in.
    private static final Pattern HIDING = Pattern
            .compile("(SQUEUE|SACCT|SCONTROL)_.*|" + "SBATCH_(WAIT|ARRAY_INX|TEST_ONLY|CLUSTERS)|SLURM_(?!CONF|JWT).*");
    private static final Pattern UNANSWERED = Pattern.compile(
            "unable to contact|timed out|connection refused|"
                    + "connect failure|zero bytes|communication|connection reset|transport endpoint|"
                    + "temporarily un|could not establish a configuration|in standby mode|unexpected message",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern PREFIX = Pattern.compile("^\\S+:? (error|fatal): ");
    private static final Pattern NOISE = Pattern.compile("PMIx library|hwloc|^Try \"\\S+ --help\"");

    /// Runs a command to its end.
    ///
    /// @param environment is added to that of this process
    /// @throws SlurmException if it is missing, prints too much, or does not end in time; it is ended then
    static CommandOutput of(List<String> command, Map<String, String> environment, Duration limit)
            throws SlurmException, InterruptedException {
        String name = String.valueOf(Path.of(command.getFirst()).getFileName());
        ProcessBuilder builder = new ProcessBuilder(command);
        prepare(builder.environment(), environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new SlurmException(Kind.MISSING, name + " cannot be started: " + FileFault.reason(e)
                    + ". Install the commands of Slurm, or put them on the PATH.");
        }
        try {
            CompletableFuture<byte[]> out = read(process.getInputStream());
            CompletableFuture<byte[]> error = read(process.getErrorStream());
            process.getOutputStream().close();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SlurmException(Kind.UNANSWERED, name + " did not end within " + limit.toSeconds()
                        + " s. The controller of Slurm may be overloaded.");
            }
            byte[] printed = out.get(READ_SECONDS, TimeUnit.SECONDS);
            if (printed.length > MOST_BYTES) {
                throw new SlurmException(Kind.UNANSWERED, name + " printed more than 16 MiB.");
            }
            return new CommandOutput(process.exitValue(), new String(printed, StandardCharsets.UTF_8),
                    message(new String(error.get(READ_SECONDS, TimeUnit.SECONDS), StandardCharsets.UTF_8)));
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new SlurmException(Kind.UNANSWERED, "The output of " + name + " could not be read.");
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    /// Removes what would hide jobs, change formats or describe another job, and adds what is given.
    static void prepare(Map<String, String> environment, Map<String, String> added) {
        environment.keySet().removeIf(variable -> HIDING.matcher(variable).matches());
        environment.putAll(added);
    }

    /// Reads to the end and keeps one byte more than the limit, so that the command never waits for its reader.
    private static CompletableFuture<byte[]> read(InputStream stream) {
        CompletableFuture<byte[]> bytes = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try (stream) {
                bytes.complete(stream.readNBytes(MOST_BYTES + 1));
                stream.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                bytes.completeExceptionally(e);
            }
        });
        return bytes;
    }

    /// Slurm's lines without "sbatch: error: " and without harmless warnings, joined by "; ".
    static String message(String printed) {
        return OneLine.of(
                String.join("; ",
                        printed.lines().map(line -> PREFIX.matcher(line.strip()).replaceFirst(""))
                                .filter(line -> !line.isBlank() && !NOISE.matcher(line).find()).distinct().toList()),
                1000);
    }

    /// The failure of a command that ended with an error.
    ///
    /// @param what begins the sentence: "sbatch refused job \"a\""
    SlurmException failure(String what) {
        boolean lost = UNANSWERED.matcher(error).find();
        String reason = error.isEmpty() ? "it ended with exit code " + status + " and no message" : error;
        return new SlurmException(lost ? Kind.UNANSWERED : Kind.REFUSED,
                what + ": " + reason + (reason.endsWith(".") ? "" : "."));
    }
}
