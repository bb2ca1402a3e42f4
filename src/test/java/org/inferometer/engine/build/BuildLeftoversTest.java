package org.inferometer.engine.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.EngineCalibration;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildLeftoversTest {
    @TempDir
    private Path folder;

    /// The search for leftovers has these names of its own, since it knows no engines.
    @Test
    void everyFileOfAKilledBuildIsALeftover() throws IOException {
        Path built = Files.createDirectory(folder.resolve(Leftovers.BUILDING + "tiny"));
        for (String name : List.of(Leftovers.LOCK, BuildJournal.FILE, DescriptorFile.FILE, DescriptorFile.WEIGHTS,
                TrainedTokenizer.FILE, ChatFormat.FILE.name(), EngineCalibration.FILE.name(),
                WeightSources.FILE.name())) {
            Files.createFile(built.resolve(name));
        }
        assertThat(Leftovers.in(folder)).as("without a mark").isEmpty();
        Files.writeString(built.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        assertThat(Leftovers.in(folder)).containsExactly(built);
    }
}
