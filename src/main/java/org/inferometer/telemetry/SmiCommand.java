package org.inferometer.telemetry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Asks nvidia-smi, the driver's own tool, one question at a time.
///
/// What it prints is bounded and so is the time it may take; fields that its version does not know are left out of the question.
final class SmiCommand {
    static final int MOST_BYTES = 1 << 20;
    private static final int MOST_ROWS = 4096;
    private static final Pattern UNKNOWN_FIELD = Pattern.compile("Field \"([^\"]{1,80})\" is not a valid field");

    private final Path executable;
    private final long limitMillis;

    /// @param limitMillis how long an answer may take
    SmiCommand(Path executable, long limitMillis) {
        this.executable = executable;
        this.limitMillis = limitMillis;
    }

    /// The tool in the first folder that has it.
    ///
    /// @param path folders, separated as in the variable PATH
    static Optional<Path> find(String path, boolean windows) {
        String name = windows ? "nvidia-smi.exe" : "nvidia-smi";
        List<String> folders = new ArrayList<>(List.of(path.split(Pattern.quote(java.io.File.pathSeparator), -1)));
        folders.add(windows ? "C:\\Program Files\\NVIDIA Corporation\\NVSMI" : "/usr/lib/wsl/lib");
        for (String folder : folders) {
            Optional<Path> found = folder.isEmpty() ? Optional.empty() : executable(folder, name);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> executable(String folder, String name) {
        try {
            Path file = Path.of(folder, name);
            return Files.isRegularFile(file) && Files.isExecutable(file) ? Optional.of(file) : Optional.empty();
        } catch (InvalidPathException odd) {
            return Optional.empty();
        }
    }

    /// The command line of a question.
    ///
    /// @param question "--query-gpu"
    /// @param gpu number or UUID; null asks of all
    List<String> line(String question, List<String> fields, @Nullable String gpu) {
        List<String> line = new ArrayList<>(List.of(executable.toString(), question + "=" + String.join(",", fields),
                "--format=csv,noheader,nounits"));
        if (gpu != null) {
            line.add("--id=" + gpu);
        }
        return line;
    }

    /// One map a line of the answer, from field to value; a field that this version does not know is missing from all.
    ///
    /// @throws GpuException when the tool cannot be run, fails, hangs or says something else
    List<Map<String, String>> ask(String question, List<String> fields, @Nullable String gpu) throws GpuException {
        List<String> known = new ArrayList<>(fields);
        while (!known.isEmpty()) {
            Answer answer = run(line(question, known, gpu));
            Matcher unknown = UNKNOWN_FIELD.matcher(answer.text());
            if (answer.code() == 0) {
                return rows(answer.text(), known);
            }
            if (!unknown.find() || !known.remove(unknown.group(1))) {
                String said = answer.text().lines().findFirst().map(DriverText::clean).orElse("");
                throw new GpuException("nvidia-smi failed" + (said.isEmpty() ? "" : ": " + said));
            }
        }
        throw new GpuException("nvidia-smi knows none of the fields that were asked for");
    }

    /// Lines that have as many values as there are fields; others are left out.
    static List<Map<String, String>> rows(String text, List<String> fields) {
        List<Map<String, String>> rows = new ArrayList<>();
        text.lines().limit(MOST_ROWS).forEach(line -> row(line, fields).ifPresent(rows::add));
        return rows;
    }

    /// One line's values by field.
    static Optional<Map<String, String>> row(String line, List<String> fields) {
        String[] values = line.split(",", fields.size() + 1);
        if (values.length != fields.size()) {
            return Optional.empty();
        }
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            row.put(fields.get(i), DriverText.clean(values[i]));
        }
        return Optional.of(row);
    }

    /// The tool with that command line, its input closed and its complaints among its output.
    ///
    /// @throws GpuException when it cannot be run
    static Process start(List<String> line) throws GpuException {
        Process process;
        try {
            process = new ProcessBuilder(line).redirectErrorStream(true).start();
        } catch (IOException refused) {
            throw new GpuException(
                    "nvidia-smi cannot be run: " + DriverText.clean(String.valueOf(refused.getMessage())));
        }
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // It has ended already; what it said tells why.
        }
        return process;
    }

    private record Answer(int code, String text) {}

    private Answer run(List<String> line) throws GpuException {
        Process process = start(line);
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofPlatform().name("nvidia-smi").daemon().start(() -> text.complete(read(process.getInputStream())));
        try {
            String said = text.get(limitMillis, TimeUnit.MILLISECONDS);
            if (process.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
                return new Answer(process.exitValue(), said);
            }
        } catch (TimeoutException | ExecutionException late) {
            throw new GpuException("nvidia-smi did not answer within " + limitMillis / 1000.0 + " s");
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt();
            throw new GpuException("nvidia-smi was interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        throw new GpuException("nvidia-smi did not end within " + limitMillis / 1000.0 + " s");
    }

    private static String read(InputStream out) {
        try (out) {
            return new String(out.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException ended) {
            return "";
        }
    }
}
