package org.inferometer.engine.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.inferometer.engine.Precision;
import org.inferometer.engine.Shapes;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A complete build lies beside the folder of its engine, which has no `engine.json`.
@EnabledOnOs(OS.LINUX)
class EngineReplacementTest {
    @TempDir
    Path folder;

    private Path engines;
    private Path toy;
    private Path build;

    @BeforeEach
    void completeBuild() throws Exception {
        engines = folder.resolve("engines");
        toy = engines.resolve("toy");
        new EngineBuilder().build(Shapes.entry(toy, Shapes.llama(), Precision.INT4), done -> {});
        build = Files.move(toy, engines.resolve(".building-toy"));
        Files.writeString(build.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        Files.createFile(build.resolve(Leftovers.LOCK));
    }

    private Path filesOfTheUser(Path model) throws IOException {
        for (String name : new String[]{"tokenizer.json", "sources.json", "weights.safetensors"}) {
            Files.writeString(Files.createDirectories(model).resolve(name), "mine");
        }
        return model;
    }

    private static void assertUntouched(Path model) {
        assertThat(model.resolve("tokenizer.json")).hasContent("mine");
        assertThat(model.resolve("sources.json")).hasContent("mine");
        assertThat(model.resolve("weights.safetensors")).hasContent("mine");
    }

    @Test
    void aLookReplacesNothingThroughALink() throws Exception {
        Path model = filesOfTheUser(folder.resolve("model"));
        Files.createSymbolicLink(toy, Path.of("../model"));
        assertThat(new EngineCatalog(engines).find("toy").builtDescriptor()).isNull();
        assertUntouched(model);
        assertThat(InterruptedBuild.isNeeded(build)).isTrue();
        assertThatThrownBy(() -> InterruptedBuild.finish(build)).isInstanceOf(IOException.class)
                .hasMessage(toy + " is a link or a file");
    }

    @Test
    void aLookReplacesNothingThatAnotherUserCanReplace() throws Exception {
        filesOfTheUser(toy);
        Files.setPosixFilePermissions(toy, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(new EngineCatalog(engines).find("toy").builtDescriptor()).isNull();
        assertUntouched(toy);
        assertThatThrownBy(() -> InterruptedBuild.finish(build)).isInstanceOf(IOException.class)
                .hasMessage("another user can replace " + toy);
    }

    @Test
    void aFolderWithoutAFileIsCompletedByALook() throws Exception {
        Files.createDirectory(toy);
        assertThat(new EngineCatalog(engines).find("toy").state()).isEqualTo(EngineEntry.State.BUILT);
        assertThat(build).doesNotExist();
    }

    @Test
    void aBuildThatTheEngineHasIsNotNeeded() throws Exception {
        Files.createDirectory(toy);
        for (String name : new String[]{"engine.json", "weights.safetensors"}) {
            Files.copy(build.resolve(name), toy.resolve(name));
        }
        assertThat(InterruptedBuild.isNeeded(build)).isFalse();
        Files.writeString(toy.resolve("weights.safetensors"), "cut");
        assertThat(InterruptedBuild.isNeeded(build)).isTrue();
        assertThatThrownBy(() -> InterruptedBuild.finish(build)).isInstanceOf(IOException.class)
                .hasMessage(toy + " has another engine, or the weights have another size");
    }
}
