package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Keeps files and methods to a size that a person can take in.
class SizesTest {
    private static final int FILE_LINES = 500;
    private static final int METHOD_LINES = 60;
    private static final int KERNEL_LINES = 120;
    private static final Pattern METHOD_START = Pattern.compile("^ {4,8}(?:(?:[\\w@<>\\[\\].,?&]+ )+\\w+|[A-Z]\\w*)\\([^=]*$");
    private static final Pattern NO_METHOD = Pattern.compile("^ *(?:return|throw|new|else|if|for|while|switch|try|case|do|yield)\\b.*|.*->.*|.*\\b(?:record|class|enum|interface) .*");

    @Test
    void noFileIsLongerThanFiveHundredLines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources()) {
            long lines = Files.readAllLines(file).size();
            if (lines > FILE_LINES) {
                tooLong.add(file + ": " + lines);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void noMethodIsLongerThanAScreen() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources()) {
            int limit = file.toString().contains("execution") ? KERNEL_LINES : METHOD_LINES;
            tooLong.addAll(methodsOver(limit, Files.readAllLines(file), file));
        }
        assertThat(tooLong).isEmpty();
    }

    /// Methods by indentation: from a declaration at depth one or two to the closing brace at the same indentation.
    private static List<String> methodsOver(int limit, List<String> lines, Path file) {
        List<String> found = new ArrayList<>();
        for (int start = 0; start < lines.size(); start++) {
            String line = lines.get(start);
            if (!METHOD_START.matcher(line).matches() || NO_METHOD.matcher(line).matches()) {
                continue;
            }
            String indent = line.substring(0, line.length() - line.stripLeading().length());
            for (int end = start; end < lines.size(); end++) {
                if (lines.get(end).equals(indent + "}")) {
                    if (end - start + 1 > limit) {
                        found.add(file + ":" + (start + 1) + ": " + (end - start + 1) + " lines");
                    }
                    break;
                }
                if (lines.get(end).endsWith(";") && end == start) {
                    break;
                }
            }
        }
        return found;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
