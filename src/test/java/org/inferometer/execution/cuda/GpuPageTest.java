package org.inferometer.execution.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.options.OptionRecords;
import org.junit.jupiter.api.Test;

/// docs/gpu.md and the options agree.
class GpuPageTest {
    @Test
    void everyOptionHasItsRowWithItsDefault() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("docs/gpu.md")).stream().filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', 1) + 1) + 1)).toList();
        assertThat(rows).isEqualTo(OptionRecords.describe(CudaOptions.class).stream()
                .map(option -> "| `" + option.name() + "` | " + option.standard() + " |").toList());
    }
}
