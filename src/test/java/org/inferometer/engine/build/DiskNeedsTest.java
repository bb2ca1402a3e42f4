package org.inferometer.engine.build;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskNeedsTest {
    private static final List<String> BOTH = List.of("a-fp8", "a-int4");

    @TempDir
    Path folder;

    @Test
    void enginesThatDoNotFitTogetherAreRefused() {
        Path engines = folder.resolve("engines");
        assertThatExceptionOfType(EngineFormatException.class)
                .isThrownBy(() -> DiskNeeds.require(engines, BOTH, 3 << 20, asked -> 2 << 20))
                .withMessageEndingWith("The 2 engines need 3.00 MiB, the disk has 2.00 MiB free. None was begun. "
                        + "Free some space, or build fewer of them.");
        assertThatNoException().isThrownBy(() -> DiskNeeds.require(engines, BOTH, 2 << 20, asked -> 2 << 20));
    }

    @Test
    void whatIsWrittenAlreadyNeedsNoSpace() throws Exception {
        Files.write(Files.createDirectories(folder.resolve("a-fp8")).resolve("weights.safetensors"), new byte[600_000]);
        Path building = Files.createDirectories(folder.resolve(".building-a-int4"));
        Files.writeString(building.resolve("lock"), "");
        Files.writeString(building.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        Files.writeString(building.resolve("journal"), "inferometer build 2 key\n1000 00000000\n400000 01234567\n");
        assertThatNoException().isThrownBy(() -> DiskNeeds.require(folder, BOTH, 3_000_000, asked -> 2_000_000));
        assertThatExceptionOfType(EngineFormatException.class)
                .isThrownBy(() -> DiskNeeds.require(folder, BOTH, 3_000_001, asked -> 2_000_000));
    }
}
