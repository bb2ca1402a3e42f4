package org.inferometer.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.inferometer.record.RunPlan;
import org.inferometer.units.OneLine;
import org.inferometer.units.PlainJson;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The protocol between a host and its worker: one JSON value a line, the order in and frames out.
public final class WorkerProtocol {
    /// The message that stops a worker; its measurements are kept.
    public static final String CANCEL = "\"cancel\"";

    /// The version that both sides must have; it goes up with every change of the order or of a frame.
    static final int VERSION = 3;

    /// The first line that a worker reads.
    ///
    /// @param workspace folder on the worker's machine that the plan's folders are relative to
    /// @param reservation what the worker locks before it begins
    /// @param server that was started for the run
    public record Order(@JsonProperty("protocol") int protocol, @JsonProperty("workspace") String workspace,
            @JsonProperty("reservation") WorkerReservation reservation, @JsonProperty("plan") RunPlan plan,
            @JsonProperty("server") PreparedServer server) {
        /// An order in this version that locks nothing and has no server.
        public static Order of(Path workspace, RunPlan plan) {
            return new Order(VERSION, workspace.toString(), WorkerReservation.NONE, plan, PreparedServer.NONE);
        }
    }

    private final JsonMapper json = JsonMapper.builder().build();

    /// One line without a line break.
    public String line(Object message) {
        return json.writeValueAsString(message);
    }

    /// The order on the worker's first line of input.
    ///
    /// @throws IllegalArgumentException in one sentence when the line is no order or has another version
    public Order order(String line) {
        int version = read(line, JsonNode.class, "order").path("protocol").intValue(0);
        if (version != VERSION) {
            throw new IllegalArgumentException("The command has protocol version " + version
                    + "; this worker has version " + VERSION + ". Use the same Inferometer on both sides.");
        }
        return read(line, Order.class, "order");
    }

    /// A frame from a worker, its texts made plain.
    ///
    /// @throws IllegalArgumentException in one sentence when the line is no frame
    public WorkerFrame frame(String line) {
        JsonNode plain = PlainJson.of(read(line, JsonNode.class, "frame"));
        return converted("frame", () -> json.treeToValue(plain, WorkerFrame.class));
    }

    private <T> T read(String line, Class<T> type, String what) {
        return converted(what, () -> json.readValue(line, type));
    }

    private static <T> T converted(String what, Supplier<T> conversion) {
        try {
            T value = conversion.get();
            if (value == null) {
                throw new IllegalArgumentException("The line is not a valid " + what + ".");
            }
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("The line is not a valid " + what + ": " + OneLine.of(e), e);
        }
    }
}
