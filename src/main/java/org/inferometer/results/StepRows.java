package org.inferometer.results;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.LaneId;
import org.jspecify.annotations.Nullable;

/// `steps.csv`: one row per step, in the order of their ends. One object writes or reads one file.
///
/// Slices are written as `request:from+count`, separated by spaces. `=` stands for single positions, each one after that of the lane's
/// row before; such rows share arrays in memory.
final class StepRows {
    static final long MAX_ROWS = 50_000_000;
    /// Written slices of a file; `=` counts as none.
    static final long MAX_SLICES = 100_000_000;
    static final List<String> COLUMNS =
            List.of("step", "lane", "start_ns", "end_ns", "kernel_ns", "decision_ns", "slices", "prefill_positions",
                    "decode_rows", "padding_rows", "moved_bytes", "running", "waiting", "kv_blocks_held", "reason");
    private static final String FOLLOWS = "=";
    private static final int MAX_LANE = 1 << 10;

    private final long maxSlices;
    private final Map<Integer, Before> before = new HashMap<>();
    private long slicesRead;

    StepRows() {
        this(MAX_SLICES);
    }

    /// @param maxSlices limit of written slices
    StepRows(long maxSlices) {
        this.maxSlices = maxSlices;
    }

    /// The last row of a lane.
    private record Before(LaneId lane, StepSlices slices, boolean single) {}

    void write(CsvWriter out, StepReport step) throws IOException {
        out.number(step.number()).number(step.lane().index()).number(step.startNanos()).number(step.endNanos());
        out.number(step.kernelNanos()).number(step.decisionNanos()).text(text(step)).number(step.prefillPositions());
        out.number(step.decodeRows()).number(step.paddingRows()).number(step.movedBytes()).number(step.running());
        out.number(step.waiting()).number(step.kvBlocksHeld()).text(step.reason());
        out.endRow();
    }

    StepReport read(CsvReader in) throws ResultFormatException {
        long farthest = TokenFile.FARTHEST_NANOS;
        Before row = slices(in, (int) in.number(1, 0, MAX_LANE));
        long start = in.number(2, -farthest, farthest);
        long end = in.number(3, -farthest, farthest);
        if (end < start) {
            throw in.fault("the step ends before it starts.");
        }
        return new StepReport(in.number(0, 0, Long.MAX_VALUE), row.lane(), start, end, in.number(4, 0, farthest),
                in.number(5, 0, farthest), row.slices(), in.count(7), in.count(8), in.count(9),
                in.number(10, 0, Long.MAX_VALUE), in.count(11), in.count(12), in.count(13), in.text(14));
    }

    private String text(StepReport step) {
        Before last = before.put(step.lane().index(), new Before(step.lane(), step.slices(), true));
        return last != null && step.slices().follows(last.slices()) ? FOLLOWS : step.slices().text();
    }

    private Before slices(CsvReader in, int lane) throws ResultFormatException {
        String text = in.text(6);
        @Nullable Before last = before.get(lane);
        Before row = text.equals(FOLLOWS) ? following(in, lane, last) : explicit(in, lane, last, text);
        before.put(lane, row);
        return row;
    }

    private static Before following(CsvReader in, int lane, @Nullable Before last) throws ResultFormatException {
        if (last == null) {
            throw in.fault("slices follow the row before of lane " + lane + ", but there is none.");
        }
        if (!last.single()) {
            throw in.fault(
                    "slices follow the row before of lane " + lane + ", but its slices have more than one position.");
        }
        return new Before(last.lane(), last.slices().next(), true);
    }

    private Before explicit(CsvReader in, int lane, @Nullable Before last, String text) throws ResultFormatException {
        slicesRead += text.isEmpty() ? 0 : 1 + text.chars().filter(c -> c == ' ').count();
        if (slicesRead > maxSlices) {
            throw in.fault("there are more than " + maxSlices + " slices, the limit of a record.");
        }
        try {
            StepSlices slices = StepSlices.parse(text);
            boolean single = true;
            for (int i = 0; i < slices.size(); i++) {
                single &= slices.count(i) == 1;
            }
            return new Before(last == null ? new LaneId(lane) : last.lane(), slices, single);
        } catch (IllegalArgumentException e) {
            throw in.fault("slices: " + e.getMessage());
        }
    }
}
