package org.inferometer.execution.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
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
            if (field.getType() == int.class && !Modifier.isPrivate(field.getModifiers())) {
                mirrored.put(field.getName(), field.getInt(null));
            }
        }
        for (KernelTiles.Matmul tile : KernelTiles.Matmul.values()) {
            mirrored.put("MATMUL_OUTPUTS_" + tile.tokens(), tile.outputs());
            mirrored.put("MATMUL_THREADS_" + tile.tokens(), tile.threads());
            mirrored.put("NORM_PART_" + tile.tokens(), tile.normPart());
            if (tile != KernelTiles.Matmul.TOKENS_128) {
                mirrored.put("MATMUL_SHARED_" + tile.tokens(), tile.sharedBytes(DeviceFormat.INT4));
            }
        }
        for (DeviceFormat format : DeviceFormat.values()) {
            if (format.largestTile() == KernelTiles.Matmul.TOKENS_128) {
                mirrored.put("MATMUL_SHARED_128_" + format, KernelTiles.Matmul.TOKENS_128.sharedBytes(format));
            } else {
                mirrored.put("MATMUL_SHARED_32_" + format, KernelTiles.Matmul.TOKENS_32.sharedBytes(format));
            }
        }
        for (WarpgroupTile tile : WarpgroupTile.values()) {
            mirrored.put("WGMMA_OUTPUTS_" + tile.tokens(), tile.outputs());
            mirrored.put("WGMMA_THREADS_" + tile.tokens(), tile.threads());
            for (DeviceFormat format : DeviceFormat.values()) {
                if (tile.has(format)) {
                    mirrored.put("WGMMA_SHARED_" + tile.tokens() + "_" + format, tile.sharedBytes(format));
                }
            }
        }
        mirrored.remove("MATVEC_TOKENS");
        assertThat(mirrored).isEqualTo(defined());
    }

    @Test
    void fewTilesDivideTheirInputs() {
        assertThat(KernelTiles.Matmul.of(256)).isEqualTo(KernelTiles.Matmul.TOKENS_128);
        // Two by 32 tiles of 128 by 128; 132 multiprocessors hold two blocks each, or one.
        assertThat(KernelTiles.Matmul.TOKENS_128.splits(256, 4096, 128, 264)).isEqualTo(4);
        assertThat(KernelTiles.Matmul.TOKENS_128.splits(256, 4096, 128, 132)).isEqualTo(2);
        // Two waves would take as long as one.
        assertThat(KernelTiles.Matmul.TOKENS_32.splits(32, 4096, 128, 132)).isEqualTo(1);
        assertThat(KernelTiles.Matmul.TOKENS_128.splits(2048, 4096, 128, 264)).isEqualTo(1);
        // A block needs eight chunks.
        assertThat(KernelTiles.Matmul.TOKENS_128.splits(256, 4096, 16, 264)).isEqualTo(2);
        assertThat(KernelTiles.Matmul.TOKENS_16.splits(16, 2048, 64, 264)).isEqualTo(4);
    }

    @Test
    void splitsFitTheMemoryForTheirSums() {
        for (KernelTiles.Matmul tile : KernelTiles.Matmul.values()) {
            for (int outputs = 1; outputs < 20_000; outputs += 511) {
                int tokens = 2 * tile.tokens();
                int splits = tile.splits(tokens, outputs, 1000, KernelTiles.Matmul.slots(16, 132));
                long blocks = tile.blocks(tokens, outputs) * splits;
                assertThat(splits == 1 || blocks <= KernelTiles.Matmul.mostSplitBlocks(132)).isTrue();
                assertThat(
                        splits == 1 || blocks * tile.tokens() * tile.outputs() <= KernelTiles.Matmul.mostSplitSums(132))
                        .isTrue();
            }
        }
    }

    @Test
    void warpgroupsTakeManyTokens() {
        assertThat(WarpgroupTile.LEAST_TOKENS).isEqualTo(65);
        assertThat(WarpgroupTile.of(65, DeviceFormat.BF16)).isEqualTo(WarpgroupTile.TOKENS_128);
        assertThat(WarpgroupTile.of(129, DeviceFormat.INT4)).isEqualTo(WarpgroupTile.TOKENS_256);
        assertThat(WarpgroupTile.of(2048, DeviceFormat.INT4_G32)).isEqualTo(WarpgroupTile.TOKENS_128);
        // The epilogue sums squares as the other wide tiles do.
        assertThat(KernelTiles.normParts(65, 4096)).isEqualTo(4096 / WarpgroupTile.TOKENS_128.outputs());
        // 32 tiles of 128 by 256; a multiprocessor makes use of one block of 256 tokens, or two of 128.
        assertThat(WarpgroupTile.TOKENS_256.splits(256, 4096, 128, 132, 2)).isEqualTo(4);
        assertThat(WarpgroupTile.TOKENS_128.splits(128, 4096, 128, 132, 2)).isEqualTo(8);
        assertThat(WarpgroupTile.TOKENS_256.splits(2048, 4096, 128, 132, 1)).isEqualTo(1);
    }

    @Test
    void splitsOfWarpgroupsFitTheMemoryForTheirSums() {
        for (WarpgroupTile tile : WarpgroupTile.values()) {
            for (int outputs = 1; outputs < 20_000; outputs += 511) {
                int splits = tile.splits(2 * tile.tokens(), outputs, 1000, 132, 16);
                long blocks = 2L * Math.ceilDiv(outputs, tile.outputs()) * splits;
                assertThat(splits == 1 || blocks <= KernelTiles.Matmul.mostSplitBlocks(132)
                        && blocks * tile.tokens() * (tile.outputs() + 4) <= KernelTiles.Matmul.mostSplitSums(132))
                        .isTrue();
            }
        }
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
