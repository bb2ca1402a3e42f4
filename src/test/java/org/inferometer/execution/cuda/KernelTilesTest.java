package org.inferometer.execution.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class KernelTilesTest {
    private static final Path TILES = Path.of("src/main/cuda/tiles.h");

    @Test
    void launchesAreCutAsTheKernelsExpect() throws IOException, IllegalAccessException {
        Map<String, Integer> mirrored = new TreeMap<>();
        for (var field : KernelTiles.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                mirrored.put(field.getName(), field.getInt(null));
            }
        }
        for (KernelTiles.Matmul tile : KernelTiles.Matmul.values()) {
            mirrored.put("MATMUL_OUTPUTS_" + tile.tokens(), tile.outputs());
            mirrored.put("MATMUL_THREADS_" + tile.tokens(), tile.threads());
            mirrored.put("MATMUL_SHARED_" + tile.tokens(), tile.sharedBytes());
        }
        mirrored.remove("MATVEC_TOKENS");
        assertThat(mirrored).isEqualTo(defined());
    }

    private static Map<String, Integer> defined() throws IOException {
        Map<String, Integer> defined = new TreeMap<>();
        Matcher matcher = Pattern.compile("#define (\\w+) (\\d+)").matcher(Files.readString(TILES));
        while (matcher.find()) {
            defined.put(matcher.group(1), Integer.parseInt(matcher.group(2)));
        }
        return defined;
    }
}
