package org.inferometer.results;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.scheduling.LaneId;
import org.inferometer.serving.StepReport;
import org.inferometer.serving.StepSlices;

/// `steps.csv`: one row a step, in the order in which steps ended.
///
/// Slices are written as `request:from+count`, with spaces between; `=` says that they are those of the lane's row before, each
/// one position further. So it has a memory: one object writes or reads one file.
final class StepRows {
    static final String FILE = "steps.csv";
    static final long MAX_ROWS = 50_000_000;
    static final List<String> COLUMNS = List.of(
            "step", "lane", "start_ns", "end_ns", "kernel_ns", "decision_ns", "slices", "prefill_positions", "decode_rows", "padding_rows",
            "moved_bytes", "running", "waiting", "kv_blocks_held", "reason");
    private static final String FOLLOWS = "=";

    private final Map<LaneId, StepSlices> before = new HashMap<>();

    void write(CsvWriter out, StepReport step) throws IOException {
        out.number(step.number()).number(step.lane().index()).number(step.startNanos()).number(step.endNanos());
        out.number(step.kernelNanos()).number(step.decisionNanos()).text(text(step)).number(step.prefillPositions());
        out.number(step.decodeRows()).number(step.paddingRows()).number(step.movedBytes()).number(step.running());
        out.number(step.waiting()).number(step.kvBlocksHeld()).text(step.reason());
        out.endRow();
    }

    StepReport read(CsvReader in) throws ResultFormatException {
        long farthest = TokenFile.FARTHEST_NANOS;
        LaneId lane = new LaneId(in.count(1));
        return new StepReport(
                in.number(0, 0, Long.MAX_VALUE), lane, in.number(2, -farthest, farthest), in.number(3, -farthest, farthest),
                in.number(4, 0, farthest), in.number(5, 0, farthest), slices(in, lane), in.count(7), in.count(8), in.count(9),
                in.number(10, 0, Long.MAX_VALUE), in.count(11), in.count(12), in.count(13), in.text(14));
    }

    private String text(StepReport step) {
        StepSlices last = before.put(step.lane(), step.slices());
        return last != null && step.slices().follows(last) ? FOLLOWS : step.slices().text();
    }

    private StepSlices slices(CsvReader in, LaneId lane) throws ResultFormatException {
        String text = in.text(6);
        StepSlices last = before.get(lane);
        if (text.equals(FOLLOWS) && last == null) {
            throw in.fault("slices repeat a row before of lane " + lane.index() + ", but there is none.");
        }
        StepSlices slices;
        try {
            slices = last != null && text.equals(FOLLOWS) ? last.next() : StepSlices.parse(text);
        } catch (IllegalArgumentException e) {
            throw in.fault("slices: " + e.getMessage());
        }
        before.put(lane, slices);
        return slices;
    }
}
