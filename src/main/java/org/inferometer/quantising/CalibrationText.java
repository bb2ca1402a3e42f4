package org.inferometer.quantising;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.Sha256;
import org.inferometer.units.FileFault;
import org.inferometer.units.QuantityText;

/// The text that a model reads so that its weights can be rounded well.
///
/// @param name of its file
public record CalibrationText(String name, String sha256, String text) {
    private static final String BUNDLED = "calibration.txt";
    private static final long MOST_BYTES = 16L << 20;

    /// The text of a file in UTF-8, at most 16 MiB.
    ///
    /// @throws EngineFormatException if it cannot be read or holds no text
    public static CalibrationText read(Path file) throws EngineFormatException {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
                throw new EngineFormatException(file, Files.isRegularFile(file)
                        ? "It has " + QuantityText.bytes(Files.size(file)) + "." : "It is no file.",
                        "Give a file of at most " + (MOST_BYTES >> 20) + " MiB.");
            }
            CalibrationText read = of(String.valueOf(file.getFileName()), Files.readAllBytes(file));
            if (read.text.isBlank()) {
                throw new EngineFormatException(file, "It has no text.", "Give a text like that the model will read.");
            }
            return read;
        } catch (CharacterCodingException e) {
            throw new EngineFormatException(file, "It is no text in UTF-8.", "Save it in UTF-8 or give another file.",
                    e);
        } catch (IOException e) {
            throw new EngineFormatException(file, "It cannot be read (" + FileFault.reason(e) + ").",
                    "Check the file and its permissions.", e);
        }
    }

    private static CalibrationText of(String name, byte[] content) throws CharacterCodingException {
        return new CalibrationText(name, HexFormat.of().formatHex(Sha256.digest().digest(content)),
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
    }

    /// Bytes in UTF-8.
    public long bytes() {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// The text that comes with the program: some prose, dialogue, code, figures and languages.
    public static CalibrationText bundled() {
        try (InputStream content = Objects.requireNonNull(CalibrationText.class.getResourceAsStream(BUNDLED))) {
            return of("the bundled text", content.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
