package org.inferometer.quantising;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.inferometer.engine.Sha256;

/// The text that a model reads so that its weights can be rounded well.
///
/// @param name of its file
public record CalibrationText(String name, String sha256, String text) {
    private static final String BUNDLED = "calibration.txt";

    /// A text of a file's content in UTF-8.
    public static CalibrationText of(String name, byte[] content) {
        return new CalibrationText(name, HexFormat.of().formatHex(Sha256.digest().digest(content)),
                new String(content, StandardCharsets.UTF_8));
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
