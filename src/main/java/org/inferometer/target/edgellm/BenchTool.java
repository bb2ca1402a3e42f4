package org.inferometer.target.edgellm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.inferometer.target.edgellm.Tool.ToolFailure;
import org.inferometer.target.edgellm.Tool.ToolResult;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import org.inferometer.workload.Request;

/// `llm_bench`: runs prefill, then decode, with the lengths of a request; the times are in its tables.
final class BenchTool implements Tool {
    private static final String PROGRAM = "llm_bench";
    private static final String PREFILL = "prefill";
    private static final String DECODE = "decode";
    private static final int MOST_BYTES = 1 << 20;
    private static final double LONGEST_MILLIS = 86_400_000;
    private static final double NANOS_A_MILLI = 1e6;

    private final EdgeLlmSettings settings;

    BenchTool(EdgeLlmSettings settings) {
        this.settings = settings;
    }

    @Override
    public boolean together(Request first, Request second) {
        return first.outputTokens() == second.outputTokens()
                && first.promptTokens().length == second.promptTokens().length;
    }

    @Override
    public List<List<String>> commands(List<Request> batch, Path folder) throws IOException {
        String promptTokens = Integer.toString(batch.getFirst().promptTokens().length);
        int outputTokens = batch.getFirst().outputTokens();
        List<List<String>> commands = new ArrayList<>();
        commands.add(command(batch, folder, PREFILL, "--inputLen", promptTokens));
        if (outputTokens > 1) {
            commands.add(command(batch, folder, DECODE, "--pastKVLen", promptTokens, "--osl",
                    Integer.toString(outputTokens)));
        }
        return commands;
    }

    private List<String> command(List<Request> batch, Path folder, String mode, String... lengths) throws IOException {
        Path tables = Files.createDirectory(folder.resolve(mode));
        List<String> command = new ArrayList<>(List.of(settings.tool().toString(), "--engineDir",
                settings.engine().toString(), "--mode", mode, "--batchSize", Integer.toString(batch.size()), "--warmup",
                Integer.toString(settings.options().warmup()), "--outputDir", tables.toString()));
        command.addAll(List.of(lengths));
        return command;
    }

    @Override
    public ToolResult read(List<Request> batch, Path folder) throws ToolFailure {
        int outputTokens = batch.getFirst().outputTokens();
        double prefill = BenchRow.read(folder, PREFILL).millis("e2e_time_ms");
        double decode = 0;
        if (outputTokens > 1) {
            BenchRow row = BenchRow.read(folder, DECODE);
            // The table's time covers osl or osl - 1 steps, depending on the version; the time per step shows which.
            double steps = Math.rint(row.millis("e2e_time_ms") / row.millis("per_token_ms"));
            if (steps != 1 && steps != outputTokens - 1 && steps != outputTokens) {
                throw new ToolFailure("The " + DECODE + " table of " + PROGRAM + " is about " + (long) steps
                        + " steps; " + (outputTokens - 1) + " were requested.");
            }
            decode = row.millis("e2e_time_ms") / steps * (outputTokens - 1);
        }
        List<ToolResult.RequestTokens> shares = batch.stream()
                .map(request -> new ToolResult.RequestTokens(request.promptTokens().length, outputTokens)).toList();
        return new ToolResult(Math.round(prefill * NANOS_A_MILLI), Math.round(decode * NANOS_A_MILLI), shares,
                Map.of());
    }

    @Override
    public String caution() {
        return "Each request or batch runs llm_bench for prefill, then for decode, on random tokens. TTFT, E2E and throughput include"
                + " both processes with all repetitions. Prefill and decode latency come from the tool's tables.";
    }

    /// The row of a table, with the names of its columns.
    private record BenchRow(String mode, List<String> names, List<String> values) {
        static BenchRow read(Path folder, String mode) throws ToolFailure {
            String text = new String(ToolFiles.read(table(folder, mode), PROGRAM, MOST_BYTES), StandardCharsets.UTF_8);
            List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
            if (lines.size() != 2) {
                throw new ToolFailure("The " + mode + " table of " + PROGRAM + " has " + lines.size()
                        + " lines; expected a header and one row.");
            }
            BenchRow row = new BenchRow(mode, cells(lines.get(0)), cells(lines.get(1)));
            if (row.names.size() != row.values.size()) {
                throw new ToolFailure("The " + mode + " table of " + PROGRAM + " has " + row.names.size()
                        + " columns and a row of " + row.values.size() + ".");
            }
            return row;
        }

        private static Path table(Path folder, String mode) throws ToolFailure {
            try (DirectoryStream<Path> tables =
                    Files.newDirectoryStream(folder.resolve(mode), "e2e_" + mode + "*.csv")) {
                for (Path table : tables) {
                    return table;
                }
            } catch (IOException e) {
                throw new ToolFailure("The tables of " + PROGRAM + " cannot be listed: " + FileFault.describe(e) + ".");
            }
            throw new ToolFailure(
                    PROGRAM + " wrote no table e2e_" + mode + "*.csv. Check that its version supports --outputDir.");
        }

        private static List<String> cells(String line) {
            return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
        }

        /// A time, above zero and at most a day.
        double millis(String column) throws ToolFailure {
            int at = names.indexOf(column);
            String cell = at < 0 ? "" : values.get(at);
            try {
                double millis = Double.parseDouble(cell);
                if (millis > 0 && millis <= LONGEST_MILLIS) {
                    return millis;
                }
            } catch (NumberFormatException e) {
                // Reported below like values out of range.
            }
            throw new ToolFailure("The " + mode + " table of " + PROGRAM + " has no usable " + column + ": "
                    + (at < 0 ? "there is no such column" : "\"" + OneLine.of(cell) + "\"") + ".");
        }
    }
}
