package org.inferometer.execution.cuda.steps;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.cuda.device.DeviceStream;

/// CUDA graphs of decode steps, recorded before the first step, one for each batch size. Used by one lane; closed with
/// the device's context current.
///
/// The blocks of attention are as many as any step of the batch size needs; those without an item end at once.
final class DecodeGraphs implements AutoCloseable {
    private static final int[] ROWS = {1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256};

    private final CudaForwardPass forward;
    private final Map<Integer, DeviceStream.Graph> recorded = new HashMap<>();

    /// @param forward reads the step table of the recorded steps
    DecodeGraphs(CudaForwardPass forward) {
        this.forward = forward;
    }

    /// The largest number of rows with a graph.
    static int mostRows() {
        return ROWS[ROWS.length - 1];
    }

    /// The recorded size for a number of rows, at most [#mostRows].
    static int padded(int rows) {
        for (int each : ROWS) {
            if (each >= rows) {
                return each;
            }
        }
        throw new IllegalArgumentException(rows + " rows are more than a graph is recorded for");
    }

    /// Records the graphs of all sizes up to a number of rows.
    ///
    /// @param table read by the forward pass
    void recordAll(DeviceStream stream, DeviceStepTable table, int mostRows) {
        for (int rows : ROWS) {
            if (rows <= mostRows && table.fill(new Step(0, List.of(), rows, false), rows, rows)) {
                recorded.put(rows, stream.graph(() -> forward.launch(stream)));
            }
        }
    }

    /// Launches the graph for the step table's rows, then the draw of its tokens.
    void launch(DeviceStream stream, int rows) {
        DeviceStream.Graph graph = recorded.get(rows);
        if (graph == null) {
            throw new IllegalStateException("No graph was recorded for " + rows + " rows");
        }
        graph.launch();
        forward.draw(stream);
    }

    @Override
    public void close() {
        recorded.values().forEach(DeviceStream.Graph::close);
        recorded.clear();
    }
}
