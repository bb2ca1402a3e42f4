package org.inferometer.results;

import java.io.IOException;
import java.util.List;
import org.inferometer.scheduling.LaneId;
import org.inferometer.serving.StepReport;

/// `steps.csv`: one row a step, in the order in which steps ended.
final class StepRows {
    static final String FILE = "steps.csv";
    static final long MAX_ROWS = 50_000_000;
    static final List<String> COLUMNS = List.of(
            "step", "lane", "start_ns", "end_ns", "kernel_ns", "decision_ns", "slices", "prefill_positions", "decode_rows", "padding_rows",
            "running", "waiting", "kv_blocks_held", "reason");

    private StepRows() {}

    static void write(CsvWriter out, StepReport step) throws IOException {
        out.number(step.number()).number(step.lane().index()).number(step.startNanos()).number(step.endNanos());
        out.number(step.kernelNanos()).number(step.decisionNanos()).number(step.slices()).number(step.prefillPositions());
        out.number(step.decodeRows()).number(step.paddingRows()).number(step.running()).number(step.waiting());
        out.number(step.kvBlocksHeld()).text(step.reason());
        out.endRow();
    }

    static StepReport read(CsvReader in) throws ResultFormatException {
        long farthest = TokenFile.FARTHEST_NANOS;
        return new StepReport(
                in.number(0, 0, Long.MAX_VALUE), new LaneId(in.count(1)), in.number(2, -farthest, farthest), in.number(3, -farthest, farthest),
                in.number(4, 0, farthest), in.number(5, 0, farthest), in.count(6), in.count(7), in.count(8), in.count(9), in.count(10),
                in.count(11), in.count(12), in.text(13));
    }
}
