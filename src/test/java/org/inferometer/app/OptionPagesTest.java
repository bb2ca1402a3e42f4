package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.inferometer.options.OptionDescription;
import org.inferometer.plugin.Plugins;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Test;

/// Each target and backend has a page in `docs` with a row per option.
class OptionPagesTest {
    private final Program program =
            new Program(new Workspace(Path.of("no-such-folder")), EnvironmentVariables.ofProcess(), Plugins.NONE);

    @Test
    void eachTargetAndBackendHasAPage() throws IOException {
        Map<String, List<OptionDescription>> selectable = new TreeMap<>();
        program.targets().all().forEach(kind -> selectable.put(kind.name(), kind.options()));
        program.backends().all().forEach(backend -> selectable.put(backend.name(), backend.options()));
        List<String> pages;
        try (Stream<Path> files = Files.list(Path.of("docs"))) {
            pages = files.filter(file -> file.toString().endsWith(".md")).map(OptionPagesTest::read)
                    .map(OptionPagesTest::withLinked).toList();
        }
        assertThat(selectable).allSatisfy((name, options) -> assertThat(pages).as("page of " + name)
                .anyMatch(page -> options.stream().allMatch(option -> hasRow(page, option))));
    }

    /// A page may leave the options of a server's API to the page of servers.
    private static String withLinked(String page) {
        return page.contains("(servers.md)") ? page + read(Path.of("docs", "servers.md")) : page;
    }

    private static boolean hasRow(String page, OptionDescription option) {
        String row = "| `" + option.name() + "` | ";
        return Stream.of(option.standard() + " |", "`" + option.standard() + "` |", "|")
                .limit(option.standard().isEmpty() ? 3 : 2).anyMatch(standard -> page.contains("\n" + row + standard));
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
