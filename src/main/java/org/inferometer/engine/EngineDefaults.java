package org.inferometer.engine;

import java.util.ArrayList;
import java.util.List;

/// Limits that an engine was built with; an experiment that gives none of its own takes them.
///
/// @param maxBatchSize requests in a step; 0 for what the workload can use
/// @param maxLength positions of a request; 0 for what the workload can reach
public record EngineDefaults(int maxBatchSize, int maxLength) {
    /// Neither is given.
    public static final EngineDefaults NONE = new EngineDefaults(0, 0);
    /// The largest limits that are accepted.
    public static final int MOST_BATCH_SIZE = 65_536;
    public static final int MOST_LENGTH = ShapeFields.MOST_POSITIONS;

    /// "at most 8 requests in a step, 512 positions of a request"; empty without any.
    public String text() {
        List<String> texts = new ArrayList<>();
        if (maxBatchSize > 0) {
            texts.add(maxBatchSize + (maxBatchSize == 1 ? " request" : " requests") + " in a step");
        }
        if (maxLength > 0) {
            texts.add(maxLength + " positions of a request");
        }
        return texts.isEmpty() ? "" : "at most " + String.join(", ", texts);
    }
}
