package org.inferometer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.inferometer.engine.EngineDescriptor.EngineDefaults;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.EngineQuality.Mean;
import org.inferometer.engine.EngineQuality.Reading;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.SideFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The quality that an engine keeps is read as it was written.
class QualityFileTest {
    private static final EngineDescriptor ENGINE = new EngineDescriptor(DescriptorFile.FORMAT_VERSION, "m-int4", "m",
            Shapes.llama(), WeightFormats.all(Precision.INT4), new WeightOrigin(1L, null), EngineText.BYTES,
            EngineDefaults.NONE, ModelLayout.parameters(Shapes.llama()), 1, "b");

    @TempDir
    Path folder;

    private static EngineQuality quality(@Nullable Double halfWidth) {
        Mean mean = new Mean(0.5, halfWidth);
        return new EngineQuality("m-bf16", "a", "b", new Reading("t.txt", "c", 128, 64), 99, Instant.EPOCH, 9, 8, mean,
                mean, 1, mean);
    }

    @Test
    void intervalsMayBeAbsent() throws Exception {
        for (EngineQuality quality : new EngineQuality[]{quality(null), quality(0.1)}) {
            Files.write(folder.resolve(EngineQuality.FILE.name()), SideFile.bytes(quality));
            assertThat(EngineQuality.read(folder, ENGINE)).contains(quality);
        }
    }

    @Test
    void brokenMeansAreRefused() throws Exception {
        String right = new String(SideFile.bytes(quality(null)), StandardCharsets.UTF_8);
        for (String wrong : new String[]{right.replaceFirst("\"mean\" : 0.5", "\"mean\" : null"),
                right.replaceFirst("\"halfWidth\"", "\"width\""),
                right.replaceFirst("\"tokens\" : 99", "\"tokens\" : null")}) {
            Files.writeString(folder.resolve(EngineQuality.FILE.name()), wrong);
            assertThatThrownBy(() -> EngineQuality.read(folder, ENGINE)).isInstanceOf(EngineFormatException.class)
                    .hasMessageContaining("It is no quality file: ").hasMessageEndingWith("Measure the quality again.");
        }
    }
}
