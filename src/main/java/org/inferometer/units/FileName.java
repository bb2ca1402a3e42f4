package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Names of files and folders that Linux, macOS and Windows accept alike.
public final class FileName {
    /// UTF-8 bytes of the longest name.
    public static final int MOST_BYTES = 255;

    private static final String FORBIDDEN = "/\\:*?\"<>|";
    /// Windows opens a device for these names, also with an ending: "nul.txt".
    private static final Pattern DEVICE = Pattern.compile(
            "(?:CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|CLOCK\\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3]) *(?:\\..*)?",
            Pattern.CASE_INSENSITIVE);

    private FileName() {}

    /// Why a text is no name of a file on every system: "is a device of Windows"; empty if it is one. Hidden names are refused.
    public static Optional<String> fault(String name) {
        if (name.isEmpty()) {
            return Optional.of("is empty");
        }
        if (name.startsWith(".")) {
            return Optional.of("begins with a dot");
        }
        if (name.endsWith(".") || name.endsWith(" ")) {
            return Optional.of("ends with a dot or a blank");
        }
        if (name.codePoints().anyMatch(c -> PlainText.isUnsafe(c) || c == PlainText.REPLACEMENT)) {
            return Optional.of("has control characters");
        }
        Optional<String> forbidden = name.chars().filter(c -> FORBIDDEN.indexOf(c) >= 0)
                .mapToObj(c -> "has the character " + (char) c).findFirst();
        return forbidden.or(() -> tooLong(name))
                .or(() -> DEVICE.matcher(name).matches() ? Optional.of("is a device of Windows") : Optional.empty());
    }

    /// Whether every system can have a file of that name.
    public static boolean isPortable(String name) {
        return fault(name).isEmpty();
    }

    /// Why a name is too long; empty if it is short enough.
    public static Optional<String> tooLong(String name) {
        return name.length() > MOST_BYTES || name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES
                ? Optional.of("is longer than " + MOST_BYTES + " bytes in UTF-8") : Optional.empty();
    }

    /// The last name of a path written for any system: "run-000" of "/home/me/results/run-000/".
    public static String last(String path) {
        String trimmed = path.replaceAll("(?<![\\\\/])[\\\\/]+$", "");
        return trimmed.substring(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1);
    }

    /// Equal for names that some system takes for one: those that differ in case or in their Unicode form.
    public static String key(String name) {
        return Normalizer.normalize(name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT), Normalizer.Form.NFD);
    }
}
