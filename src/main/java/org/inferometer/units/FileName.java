package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
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

    /// Whether every system can have a file of that name. Hidden names are refused.
    public static boolean isPortable(String name) {
        return !name.isEmpty() && name.length() <= MOST_BYTES
                && name.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES && !name.startsWith(".")
                && !name.endsWith(".") && !name.endsWith(" ")
                && name.codePoints().noneMatch(
                        c -> FORBIDDEN.indexOf(c) >= 0 || PlainText.isUnsafe(c) || c == PlainText.REPLACEMENT)
                && !DEVICE.matcher(name).matches();
    }

    /// The last name of a path written for any system: "run-000" of "/home/me/results/run-000/".
    public static String last(String path) {
        String trimmed = path.replaceAll("(?<![\\\\/])[\\\\/]+$", "");
        return trimmed.substring(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1);
    }

    /// Equal for names that some system takes for one: those that differ in case or in their Unicode form.
    public static String key(String name) {
        return Normalizer.normalize(LetterCase.lower(LetterCase.upper(name)), Normalizer.Form.NFD);
    }
}
