package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Slice;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepRowsTest {
    private static final int SLICES = 6;

    @TempDir
    Path folder;

    private static StepReport step(long number, int lane, String slices) {
        return new StepReport(number, new LaneId(lane), number, number + 5, 3, 1, StepSlices.parse(slices), 2, 3, 1, 7,
                4, 5, 6, "why");
    }

    private Path written(List<StepReport> steps) throws IOException {
        Path file = folder.resolve("steps.csv");
        Files.deleteIfExists(file);
        try (CsvWriter out = new CsvWriter(file, StepRows.COLUMNS)) {
            StepRows rows = new StepRows();
            for (StepReport step : steps) {
                rows.write(out, step);
            }
        }
        return file;
    }

    private static List<StepReport> read(Path file, StepRows rows) throws IOException {
        List<StepReport> steps = new ArrayList<>();
        try (CsvReader in = new CsvReader(file, StepRows.COLUMNS, StepRows.MAX_ROWS)) {
            while (in.next()) {
                steps.add(rows.read(in));
            }
        }
        return steps;
    }

    private static List<String> sliceColumn(Path file) throws IOException {
        return Files.readAllLines(file).stream().skip(1).map(line -> line.split(",")[SLICES]).toList();
    }

    @Test
    void aDecodeStepThatFollowsOnItsOwnLaneIsWrittenShort() throws IOException {
        List<StepReport> steps = List.of(step(0, 0, "1:4+1 2:9+1"), step(1, 1, "3:0+1"), step(2, 0, "1:5+1 2:10+1"),
                step(3, 1, "3:1+1"), step(4, 0, "1:6+1 2:11+1"));
        Path file = written(steps);
        assertThat(sliceColumn(file)).containsExactly("1:4+1 2:9+1", "3:0+1", "=", "=", "=");
        assertThat(read(file, new StepRows())).isEqualTo(steps);
    }

    @Test
    void whatDoesNotFollowIsWrittenOut() throws IOException {
        List<StepReport> steps = List.of(step(0, 0, "1:0+8"), step(1, 0, "1:8+8"), step(2, 0, "1:16+1"),
                step(3, 0, "1:16+1"), step(4, 0, "2:17+1"), step(5, 0, ""), step(6, 0, ""), step(7, 0, "2:18+1"));
        Path file = written(steps);
        assertThat(sliceColumn(file)).containsExactly("1:0+8", "1:8+8", "1:16+1", "1:16+1", "2:17+1", "", "=",
                "2:18+1");
        assertThat(read(file, new StepRows())).isEqualTo(steps);
    }

    @Test
    void anyStepsComeBackAsTheyWere() throws IOException {
        RandomGenerator random = new Seed(3).generator();
        for (int round = 0; round < 60; round++) {
            List<StepReport> steps = new ArrayList<>();
            Map<Integer, StepSlices> last = new HashMap<>();
            for (int i = 0; i < 200; i++) {
                int lane = random.nextInt(3);
                StepSlices before = last.get(lane);
                StepSlices slices = before != null && random.nextInt(4) > 0 ? before.next() : drawn(random);
                last.put(lane, slices);
                steps.add(new StepReport(i, new LaneId(lane), i, i + random.nextInt(9), 0, 0, slices, random.nextInt(9),
                        0, 0, random.nextInt(3), 0, 0, 0, "r,\"" + i));
            }
            assertThat(read(written(steps), new StepRows())).isEqualTo(steps);
        }
    }

    private static StepSlices drawn(RandomGenerator random) {
        return StepSlices
                .of(IntStream.range(0, random.nextInt(5)).mapToObj(i -> new Slice(new RequestId(random.nextInt(100)),
                        random.nextInt(1000), 1 + random.nextInt(2) * random.nextInt(60))).toList());
    }

    @Test
    void aRowThatFollowsWhatItCannotFollowIsRefused() throws IOException {
        Path file = written(List.of(step(0, 0, "1:0+8"), step(1, 0, "1:8+1")));
        Files.writeString(file, Files.readString(file).replace("1:8+1", "="));
        assertThatThrownBy(() -> read(file, new StepRows())).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining(
                        "steps.csv:3: slices follow the row before of lane 0, but its slices have more than one position");
    }

    @Test
    void moreSlicesThanAFileMayHoldAreRefusedBeforeTheyTakeMemory() throws IOException {
        Path file = written(List.of(step(0, 0, "1:0+1 2:0+1"), step(1, 0, "1:1+1 2:1+1"), step(2, 0, "1:0+1 2:0+1"),
                step(3, 0, "5:0+1")));
        assertThat(read(file, new StepRows(5))).hasSize(4);
        assertThatThrownBy(() -> read(file, new StepRows(4)))
                .hasMessageContaining("steps.csv:5: there are more than 4 slices, the limit of a record");
    }

    @Test
    void rowsThatFollowShareWhatTheyFollow() throws IOException {
        int steps = 100_000;
        Path file = folder.resolve("steps.csv");
        String slices =
                StepSlices.of(IntStream.range(0, 32).mapToObj(i -> new Slice(new RequestId(i), i, 1)).toList()).text();
        StringBuilder rows = new StringBuilder(String.join(",", StepRows.COLUMNS)).append('\n');
        for (int i = 0; i < steps; i++) {
            rows.append(i).append(",0,").append(i).append(',').append(i + 1).append(",0,0,")
                    .append(i == 0 ? slices : "=").append(",0,32,0,0,32,0,9,decode\n");
        }
        Files.writeString(file, rows);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        List<StepReport> read = read(file, new StepRows());
        long bytesPerStep = (threads.getCurrentThreadAllocatedBytes() - before) / steps;
        assertThat(read.getLast().slices().from(31)).isEqualTo(31 + steps - 1);
        // 32 slices alone would take 384 bytes; the report itself takes about 120.
        assertThat(bytesPerStep).isLessThan(280);
    }
}
