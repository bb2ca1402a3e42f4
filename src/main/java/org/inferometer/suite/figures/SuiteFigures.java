package org.inferometer.suite.figures;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MachineDescription.Environment;
import org.inferometer.report.document.CsvText;
import org.inferometer.results.AtomicFile;
import org.inferometer.units.FileFault;

/// Writes the figures of ended tests as the framework does: rows of a CSV file, a log of the session, a log of the test.
///
/// @param output folder of the CSV file and of the session's log
/// @param begun start of the session; names its log
public record SuiteFigures(Path output, Instant begun) {
    /// The log of a test's figures, in its folder.
    public static final String TEST_LOG = "6_bench.log";

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss", Locale.ROOT);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    static final String RESULTS = "perf_script_test_results.csv";
    static final List<String> RESULT_COLUMNS = List.of("network_name", "network_hash", "sm_clk", "mem_clk", "gpu_idx",
            "perf_case_name", "test_name", "original_test_name", "perf_metric", "total_time__sec", "start_timestamp",
            "end_timestamp", "state", "command", "threshold", "absolute_threshold", "metric_type");

    /// A row for each session that has ended.
    static final String SESSIONS = "session_properties.csv";
    static final List<String> SESSION_COLUMNS =
            List.of("username", "start_timestamp", "hostname", "ip", "nvidia_driver_version", "nvidia_device_count",
                    "os_properties", "cpu_properties", "gpu_properties", "trt_change_id", "trt_branch",
                    "commit_timestamp", "cuda_version", "cublas_version", "cudnn_version", "end_timestamp");

    /// An ended test.
    ///
    /// @param type "disagg", "wideep", or empty for an experiment
    /// @param platform what it ran on
    public record EndedTest(String id, String type, String platform, Instant started, Instant ended) {
        /// With the times of its records: a job waits for its nodes before them, and its end is seen later.
        public EndedTest during(List<ExperimentRecord> records) {
            return new EndedTest(id, type, platform,
                    records.stream().map(record -> record.manifest().times().started()).min(Comparator.naturalOrder())
                            .orElse(started),
                    records.stream().flatMap(record -> Stream.ofNullable(record.manifest().times().ended()))
                            .max(Comparator.naturalOrder()).orElse(ended));
        }

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
        List<LoadFigures> loads = LoadFigures.of(records);
        List<List<String>> rows = new ArrayList<>();
        loads.forEach(load -> rows.addAll(rows(test, load)));
        String report = loads.stream().map(LoadFigures::report).collect(Collectors.joining("\n"));
        // It replaces a link, which may lead anywhere.
        AtomicFile.write(folder.resolve(TEST_LOG), report.getBytes(StandardCharsets.UTF_8));
        Files.createDirectories(output);
        Files.writeString(log(), "Test " + test.id() + " on " + test.platform() + "\n" + report + "\n",
                StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        append(output.resolve(RESULTS), RESULT_COLUMNS, rows);
    }

    /// Adds the row of a session that has ended. Names of the user, the host and its address are left empty.
    ///
    /// @param machine where it was measured; absent if nothing was
    /// @throws IOException with one sentence if the file cannot be written
    public void addSession(Optional<MachineDescription> machine, Instant ended) throws IOException {
        Optional<MachineDescription.Environment> environment =
                machine.flatMap(each -> Optional.ofNullable(each.environment()));
        append(output.resolve(SESSIONS), SESSION_COLUMNS,
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
            load.value(metric.ours())
                    .ifPresent(value -> rows.add(List.of(name, "", "", "", "", name, name, name,
                            String.format(Locale.ROOT, "%.4f", value), test.seconds(), time(test.started()),
                            time(test.ended()), load.failed() == 0 ? "valid" : "invalid",
                            "disagg_benchmark --model=" + test.platform() + " --" + load.load().option(), "", "",
                            metric.name())));
        }
        return rows;
    }

    private static String time(Instant instant) {
        return TIME.format(instant.atZone(ZoneId.systemDefault()));
    }

    /// Appends rows; writes the header into a new file. Rows of several processes do not mix, and a row that was cut off stays alone
    /// in its line.
    ///
    /// @param rows fields in the order of the columns; an absent value is empty
    /// @throws IOException with one sentence if the file cannot be written; it is then as it was
    private static void append(Path file, List<String> columns, List<List<String>> rows) throws IOException {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
                long end = channel.size();
                CsvText text = end == 0 ? new CsvText(columns) : new CsvText();
                rows.forEach(text::row);
                String lead = end > 0 && !endsLine(channel, end) ? "\n" : "";
                ByteBuffer rest = ByteBuffer.wrap((lead + text).getBytes(StandardCharsets.UTF_8));
                try {
                    for (long at = end; rest.hasRemaining();) {
                        at += channel.write(rest, at);
                    }
                    channel.force(true);
                } catch (IOException e) {
                    channel.truncate(end);
                    throw e;
                }
            }
        } catch (IOException e) {
            throw FileFault.at(file, e);
        }
    }

    private static boolean endsLine(FileChannel channel, long end) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        channel.read(last, end - 1);
        return last.get(0) == '\n';
    }
}
