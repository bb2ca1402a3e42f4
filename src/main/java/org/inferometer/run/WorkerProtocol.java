package org.inferometer.run;

import org.inferometer.record.RunPlan;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The worker's language: one JSON value a line, the plan in and frames out.
public final class WorkerProtocol {
    /// The message that asks a worker to stop and keep what it measured.
    public static final String CANCEL = "\"cancel\"";

    private final JsonMapper json = JsonMapper.builder().build();

    /// One line without a line break.
    public String line(Object message) {
        return json.writeValueAsString(message);
    }

    /// The plan on the worker's first line of input.
    ///
    /// @throws IllegalArgumentException in one sentence when the line is no plan
    public RunPlan plan(String line) {
        return read(line, RunPlan.class, "run plan");
    }

    /// A frame from a worker.
    ///
    /// @throws IllegalArgumentException in one sentence when the line is no frame
    public WorkerFrame frame(String line) {
        return read(line, WorkerFrame.class, "worker frame");
    }

    private <T> T read(String line, Class<T> type, String what) {
        try {
            T value = json.readValue(line, type);
            if (value == null) {
                throw new IllegalArgumentException("The line is no " + what + ".");
            }
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("The line is no " + what + ": " + OneLine.of(e.getOriginalMessage()), e);
        }
    }
}
