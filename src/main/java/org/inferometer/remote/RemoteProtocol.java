package org.inferometer.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.inferometer.results.RecordValidator;
import org.inferometer.units.OneLine;
import org.inferometer.units.PlainJson;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The lines between two machines: JSON, UTF-8, of bounded length.
final class RemoteProtocol {
    /// Both sides must have it; it goes up with every change of an order or event.
    static final int VERSION = 2;
    /// Stops the experiment; what was measured is kept.
    static final String CANCEL = "\"cancel\"";
    /// A manifest with the most runs fits, as far as the heap holds what is read from it.
    private static final int LONGEST_LINE = (int) Math.min(256 << 20, Runtime.getRuntime().maxMemory() / 16);
    private static final int LONGEST_GREETING = 1 << 20;

    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private RemoteProtocol() {}

    static byte[] line(Object message) {
        return (JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// The next line of an order or event; empty at the end.
    ///
    /// @throws IOException also if a line is too long
    static Optional<String> readLine(InputStream in) throws IOException {
        return readLine(in, LONGEST_LINE);
    }

    /// The next line of a greeting, which login scripts may begin; empty at the end.
    ///
    /// @throws IOException also if a line is too long
    static Optional<String> readGreeting(InputStream in) throws IOException {
        return readLine(in, LONGEST_GREETING);
    }

    private static Optional<String> readLine(InputStream in, int longest) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 10);
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return Optional.of(line.toString(StandardCharsets.UTF_8));
            }
            if (line.size() == longest) {
                throw new IOException("A line of the other machine is longer than " + (longest >> 20) + " MiB.");
            }
            line.write(next);
        }
        return Optional.empty();
    }

    /// An event; its texts are plain and none of its parts is missing.
    ///
    /// @throws IOException in one sentence if the line is none
    static RemoteEvent event(String line) throws IOException {
        return read(line, RemoteEvent.class);
    }

    /// @throws IOException in one sentence if the line is none
    static RemoteOrder order(String line) throws IOException {
        RemoteOrder order = read(line, RemoteOrder.class);
        if (order.protocol() != VERSION) {
            throw new IOException(versions(order.protocol()));
        }
        return order;
    }

    static String versions(int other) {
        return "The other Inferometer has version " + other + " of the protocol, this one has " + VERSION
                + ". Use the same Inferometer on both machines.";
    }

    private static <T> T read(String line, Class<T> type) throws IOException {
        try {
            JsonNode plain = PlainJson.of(JSON.readTree(line));
            T value = JSON.treeToValue(plain, type);
            if (!(value instanceof Record message)) {
                throw new IOException("The other machine sent no message: " + OneLine.of(line));
            }
            Optional<String> broken = RecordValidator.firstFault(message);
            if (broken.isPresent()) {
                throw new IOException("The other machine sent a broken message: " + broken.get());
            }
            return value;
        } catch (JacksonException e) {
            throw new IOException("The other machine sent no message: " + OneLine.of(e), e);
        }
    }
}
