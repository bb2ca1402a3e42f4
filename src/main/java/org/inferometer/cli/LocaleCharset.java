package org.inferometer.cli;

import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.Optional;
import org.inferometer.units.OneLine;
import org.inferometer.units.PlainText;

/// Names that the locale of the process cannot represent. Java reads arguments and names of files in its charset.
public final class LocaleCharset {
    private LocaleCharset() {}

    /// A sentence if an argument came with bytes that are no text in the charset of the locale.
    public static Optional<String> fault(String... arguments) {
        return Arrays.stream(arguments).filter(argument -> argument.indexOf(PlainText.REPLACEMENT) >= 0).findFirst()
                .map(argument -> "The argument \"" + OneLine.of(argument) + "\" has bytes that are no text in the "
                        + "charset of the locale" + remedy());
    }

    /// A sentence for a name that no file can have here.
    public static String sentence(InvalidPathException fault) {
        String name = fault.getInput();
        boolean representable =
                Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")).newEncoder().canEncode(name);
        return "\"" + OneLine.of(name) + "\" cannot be the name of a file" + (representable
                ? ": " + OneLine.of(fault.getReason()) + "." : " in the charset of the locale" + remedy());
    }

    private static String remedy() {
        return " (" + System.getProperty("sun.jnu.encoding", "not known") + "). Set a locale with UTF-8, such as "
                + "LC_ALL=C.UTF-8.";
    }
}
