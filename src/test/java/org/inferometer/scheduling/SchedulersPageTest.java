package org.inferometer.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/schedulers.md` tells of every scheduler, and of exactly its options with their defaults.
class SchedulersPageTest {
    private static final Pattern OPTION_ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\S+) \\|");

    @Test
    void everyOptionHasARowWithItsDefault() throws Exception {
        String page = Files.readString(Path.of("docs/schedulers.md"));

        for (SchedulerDescription<?> description : SchedulerRegistry.standard().descriptions()) {
            assertThat(page).contains("\n| [`" + description.name() + "`](#" + description.name() + ") |");
            List<String> described =
                    description.options().stream().map(option -> option.name() + " = " + option.standard()).toList();
            assertThat(rows(section(page, description.name()))).as(description.name())
                    .containsExactlyElementsOf(described);
        }
    }

    private static String section(String page, String name) {
        int from = page.indexOf("\n## " + name + "\n");
        assertThat(from).as("section " + name).isPositive();
        int to = page.indexOf("\n## ", from + 1);
        return page.substring(from, to);
    }

    private static List<String> rows(String section) {
        return OPTION_ROW.matcher(section).results().map(SchedulersPageTest::row).toList();
    }

    private static String row(MatchResult row) {
        return row.group(1) + " = " + row.group(2);
    }
}
