package org.inferometer.suite.figures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MachineDescription.Environment;
import org.inferometer.results.AtomicFile;

/// Writes the figures of ended tests as the framework does: rows of a CSV file, a log of the session, a log of the test.
///
/// @param output folder of the CSV file and of the session's log
/// @param begun start of the session; names its log
public record SuiteFigures(Path output, Instant begun) {
    /// The log of a test's figures, in its folder.
    public static final String TEST_LOG = "6_bench.log";

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss", Locale.ROOT);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    /// An ended test.
    ///
    /// @param type "disagg", "wideep", or empty for an experiment
    /// @param platform what it ran on
    public record EndedTest(String id, String type, String platform, Instant started, Instant ended) {
        /// Empty where a session went on after the clock was set back.
        private String seconds() {
            return ended.isBefore(started) ? ""
                    : String.format(Locale.ROOT, "%.1f", (ended.toEpochMilli() - started.toEpochMilli()) / 1e3);
        }
    }

    /// The log of the session.
    public Path log() {
        return output.resolve("disagg_benchmark_" + STAMP.format(begun.atZone(ZoneId.systemDefault())) + ".log");
    }

    /// Adds the figures of a test.
    ///
    /// @param folder of the test's files
    /// @throws IOException with one sentence if a file cannot be written
    public void add(EndedTest test, List<ExperimentRecord> records, Path folder) throws IOException {
        List<LoadFigures> loads = new ArrayList<>();
        records.forEach(record -> loads.addAll(LoadFigures.of(record)));
        List<List<String>> rows = new ArrayList<>();
        loads.forEach(load -> rows.addAll(rows(test, load)));
        String report = loads.stream().map(ServingReport::text).collect(Collectors.joining("\n"));
        // It replaces a link, which may lead anywhere.
        AtomicFile.write(folder.resolve(TEST_LOG), report.getBytes(StandardCharsets.UTF_8));
        Files.createDirectories(output);
        Files.writeString(log(), "Test " + test.id() + " on " + test.platform() + "\n" + report + "\n",
                StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        PerfCsv.append(output, rows);
    }

    /// Adds the row of a session that has ended. Names of the user, the host and its address are left empty.
    ///
    /// @param machine where it was measured; absent if nothing was
    /// @throws IOException with one sentence if the file cannot be written
    public void addSession(Optional<MachineDescription> machine, Instant ended) throws IOException {
        Optional<MachineDescription.Environment> environment =
                machine.flatMap(each -> Optional.ofNullable(each.environment()));
        PerfCsv.append(output.resolve(PerfCsv.SESSIONS), PerfCsv.SESSION_COLUMNS,
                List.of(List.of("", time(begun), "", "", environment.map(Environment::gpuDriver).orElse(""),
                        machine.map(each -> String.valueOf(each.gpus().size())).orElse(""),
                        machine.map(MachineDescription::operatingSystem).orElse(""),
                        machine.map(each -> each.processor() + ", " + each.logicalCores() + " threads").orElse(""),
                        machine.map(each -> String.join("; ", each.gpus())).orElse(""), "", "", "", "", "", "",
                        time(ended))));
    }

    private static List<List<String>> rows(EndedTest test, LoadFigures load) {
        List<List<String>> rows = new ArrayList<>();
        String name = test.id() + (load.subject().isEmpty() ? "" : "_" + load.subject()) + "_" + load.load().suffix();
        for (ServingMetric metric : ServingMetric.of(test.type())) {
            Double value = load.latencies().get(metric);
            if (value != null) {
                rows.add(List.of(name, "", "", "", "", name, name, name, String.format(Locale.ROOT, "%.4f", value),
                        test.seconds(), time(test.started()), time(test.ended()),
                        load.failed() == 0 ? "valid" : "invalid",
                        "disagg_benchmark --model=" + test.platform() + " --" + load.load().option(), "", "",
                        metric.name()));
            }
        }
        return rows;
    }

    private static String time(Instant instant) {
        return TIME.format(instant.atZone(ZoneId.systemDefault()));
    }
}
