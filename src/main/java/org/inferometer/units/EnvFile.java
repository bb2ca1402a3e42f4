package org.inferometer.units;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The variables of a `.env` file: one `NAME=value` a line, as docker compose and dotenv read it, without multi-line values and without
/// expansion of `$NAME`.
///
/// @param values by name; the last line of a name counts
/// @param warnings sentences about the file
public record EnvFile(Map<String, String> values, List<String> warnings) {
    /// The name of the file in a workspace.
    public static final String NAME = ".env";

    static final int MOST_BYTES = 64 * 1024;
    static final int MOST_LINES = 1000;
    private static final EnvFile ABSENT = new EnvFile(Map.of(), List.of());
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern EXPORT = Pattern.compile("^export\\s+");

    public EnvFile {
        values = Map.copyOf(values);
        warnings = List.copyOf(warnings);
    }

    /// Reads the file of a workspace; without one there are no variables.
    ///
    /// @throws EnvFileException if it is a link out of the workspace, not a regular file, too large, unreadable or not well-formed
    public static EnvFile read(Path workspace) {
        Path file = workspace.resolve(NAME);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return ABSENT;
        }
        try {
            Path real = file.toRealPath();
            if (!real.startsWith(workspace.toRealPath())) {
                throw new EnvFileException(
                        file + " is a link to a file outside the workspace. Copy the file into the workspace.");
            }
            if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
                throw new EnvFileException(file + " is not a regular file. Replace it by a text file, or remove it.");
            }
            return new EnvFile(parse(file, text(file, real)), warnings(file, real));
        } catch (IOException e) {
            throw new EnvFileException(FileFault.sentence(FileFault.at(file, e)));
        }
    }

    private static String text(Path file, Path real) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(real, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new EnvFileException(file + " is larger than 64 KiB. Keep the variables of this program only.");
        }
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new EnvFileException(file + " is not valid UTF-8. Save it as UTF-8 text.");
        }
    }

    private static List<String> warnings(Path file, Path real) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(real, PosixFileAttributeView.class);
        boolean shared = view != null && view.readAttributes().permissions().stream()
                .anyMatch(each -> each == PosixFilePermission.GROUP_READ || each == PosixFilePermission.OTHERS_READ);
        return shared ? List.of(file + " can be read by other users. Restrict it with chmod 600.") : List.of();
    }

    /// @param file for messages
    static Map<String, String> parse(Path file, String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() > MOST_LINES) {
            throw new EnvFileException(
                    file + " has more than " + MOST_LINES + " lines. Keep the variables of this program only.");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    add(EXPORT.matcher(line).replaceFirst(""), values);
                } catch (IllegalArgumentException e) {
                    throw new EnvFileException(file + ", line " + (i + 1) + ": " + e.getMessage());
                }
            }
        }
        return values;
    }

    /// Messages contain no text of the line, which may be a secret.
    private static void add(String line, Map<String, String> values) {
        int equals = line.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("\"=\" is missing. Write NAME=value.");
        }
        String name = line.substring(0, equals).strip();
        if (!VARIABLE.matcher(name).matches()) {
            throw new IllegalArgumentException("The name before \"=\" is not valid. Use letters, digits and _.");
        }
        String value = value(line.substring(equals + 1).strip());
        if (value.codePoints().anyMatch(c -> c == 0)) {
            throw new IllegalArgumentException("The value has a zero character. Remove it.");
        }
        values.put(name, value);
    }

    private static String value(String text) {
        char first = text.isEmpty() ? ' ' : text.charAt(0);
        if (first != '"' && first != '\'') {
            return withoutComment(text);
        }
        StringBuilder value = new StringBuilder();
        int at = 1;
        while (at < text.length() && text.charAt(at) != first) {
            boolean escape = first == '"' && text.charAt(at) == '\\' && at + 1 < text.length();
            value.append(escape ? escaped(text.charAt(at + 1)) : text.substring(at, at + 1));
            at += escape ? 2 : 1;
        }
        if (at >= text.length()) {
            throw new IllegalArgumentException(
                    "The quote is not closed. Close it on the same line; \\n in double quotes is a line break.");
        }
        if (!withoutComment(text.substring(at + 1)).isEmpty()) {
            throw new IllegalArgumentException("There is text after the closing quote. Quote the whole value.");
        }
        return value.toString();
    }

    /// The text before a `#` that begins it or follows a blank.
    private static String withoutComment(String text) {
        int hash = text.indexOf('#');
        while (hash > 0 && !Character.isWhitespace(text.charAt(hash - 1))) {
            hash = text.indexOf('#', hash + 1);
        }
        return (hash < 0 ? text : text.substring(0, hash)).strip();
    }

    /// An escaped character of double quotes; a backslash before any other character stays.
    private static String escaped(char c) {
        return switch (c) {
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case '"', '\\', '$', '`' -> String.valueOf(c);
            default -> "\\" + c;
        };
    }

    /// Without values.
    @Override
    public String toString() {
        return "EnvFile" + values.keySet();
    }
}
