package org.inferometer.suite.figures;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.inferometer.report.document.CsvText;
import org.inferometer.units.FileFault;

/// The CSV files of the framework, to which rows are appended.
final class PerfCsv {
    static final String NAME = "perf_script_test_results.csv";
    static final List<String> COLUMNS = List.of("network_name", "network_hash", "sm_clk", "mem_clk", "gpu_idx",
            "perf_case_name", "test_name", "original_test_name", "perf_metric", "total_time__sec", "start_timestamp",
            "end_timestamp", "state", "command", "threshold", "absolute_threshold", "metric_type");

    /// A row for each session that has ended.
    static final String SESSIONS = "session_properties.csv";
    static final List<String> SESSION_COLUMNS =
            List.of("username", "start_timestamp", "hostname", "ip", "nvidia_driver_version", "nvidia_device_count",
                    "os_properties", "cpu_properties", "gpu_properties", "trt_change_id", "trt_branch",
                    "commit_timestamp", "cuda_version", "cublas_version", "cudnn_version", "end_timestamp");

    private PerfCsv() {}

    /// Appends rows; writes the header into a new file. Rows of several processes do not mix, and a row that was cut off stays alone
    /// in its line.
    ///
    /// @param rows fields in the order of the columns; an absent value is empty
    /// @throws IOException with one sentence if the file cannot be written; it is then as it was
    static void append(Path folder, List<List<String>> rows) throws IOException {
        append(folder.resolve(NAME), COLUMNS, rows);
    }

    /// As [#append], of another file.
    static void append(Path file, List<String> columns, List<List<String>> rows) throws IOException {
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
