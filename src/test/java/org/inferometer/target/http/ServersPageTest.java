package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// docs/servers.md and the options agree.
class ServersPageTest {
    @Test
    void everyOptionHasItsRowWithItsDefault() throws IOException {
        List<String> rows =
                Files.readAllLines(Path.of("docs/servers.md")).stream().filter(line -> line.startsWith("| `"))
                        .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', 1) + 1) + 1)).toList();
        assertThat(rows)
                .isEqualTo(
                        new HttpTargetKind(name -> Optional.empty()).options().stream()
                                .map(option -> "| `" + option.name() + "` | "
                                        + (option.standard().isEmpty() ? "" : "`" + option.standard() + "` ") + "|")
                                .toList());
    }
}
