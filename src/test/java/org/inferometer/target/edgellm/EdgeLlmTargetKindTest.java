package org.inferometer.target.edgellm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EdgeLlmTargetKindTest {
    @TempDir
    private Path folder;

    @Test
    void missingFilesAndOptionLikePathsAreReportedFirst() {
        assertThat(kind(Map.of()).faults(Selection.parse("edgellm"))).containsExactly(
                "edgellm: engine_dir is missing. Give the folder of llm_build, with config.json.",
                "edgellm: give binary=, the path of llm_inference, or set EDGELLM_HOME to the folder of TensorRT-Edge-LLM.");
        assertThat(kind(Map.of()).faults(Selection.parse("edgellm:engine_dir=--debug,binary=-x"))).containsExactly(
                "edgellm: engine_dir=--debug looks like an option. Give a path, such as ./--debug.",
                "edgellm: binary=-x looks like an option. Give a path, such as ./-x.");
        assertThat(kind(Map.of("EDGELLM_HOME", "/opt/edge"))
                .faults(Selection.parse("edgellm:engine_dir=engines/fp8,mode=bench"))).isEmpty();
    }

    @Test
    void theEngineIsCalledByItsFolderUnlessItHasAName() throws Exception {
        EdgeLlmTargetKind kind = kind(Map.of("EDGELLM_HOME", "/opt/edge"));
        assertThat(kind.configure(Selection.parse("edgellm:engine_dir=engines/fp8/")).model()).isEqualTo("fp8");
        assertThat(kind.configure(Selection.parse("edgellm:engine_dir=engines/fp8,model=qwen")).model())
                .isEqualTo("qwen");
    }

    @Test
    void theToolLiesInItsHomeUnlessItsPathIsGiven() throws Exception {
        EdgeLlmSettings settings = EdgeLlmSettings.read(Selection.parse("edgellm:engine_dir=/engines/fp8,mode=bench"),
                name -> Optional.of("/opt/edge"));
        assertThat(settings.tool()).isEqualTo(Path.of("/opt/edge/build/examples/llm/llm_bench"));
        assertThat(settings.workingFolder()).isEqualTo(Path.of("/opt/edge"));
    }

    @Test
    void openingLooksForToolAndEngineOneAfterTheOther() throws IOException {
        Path tool = folder.resolve("llm_inference");
        Path engine = folder.resolve("fp8");
        assertThatThrownBy(this::open).isInstanceOf(TargetException.class).hasMessage("There is no program at " + tool
                + ". Build TensorRT-Edge-LLM, or give the path of llm_inference as binary=.");
        Files.createFile(tool);
        assertThatThrownBy(this::open).hasMessage(tool + " is not executable. Set its permission with chmod +x.");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        assertThatThrownBy(this::open)
                .hasMessage("The engine folder " + engine + " does not exist. Build it with llm_build.");
        Files.createDirectory(engine);
        assertThatThrownBy(this::open).hasMessage(engine + " has no config.json. Give the folder of llm_build.");
    }

    @Test
    void everyOptionHasItsRowWithItsDefaultInTheDocumentation() throws IOException {
        List<String> rows =
                Files.readAllLines(Path.of("docs/edge-llm.md")).stream().filter(line -> line.startsWith("| `"))
                        .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', 1) + 1) + 1)).toList();
        assertThat(rows)
                .isEqualTo(
                        kind(Map.of()).options().stream()
                                .map(option -> "| `" + option.name() + "` | "
                                        + (option.standard().isEmpty() ? "" : "`" + option.standard() + "` ") + "|")
                                .toList());
    }

    private void open() throws Exception {
        TargetEventLog ledger = new TargetEventLog(0);
        kind(Map.of())
                .configure(Selection.parse(
                        "edgellm:engine_dir=" + folder.resolve("fp8") + ",binary=" + folder.resolve("llm_inference")))
                .open(new TargetSetup(new SystemClock(), ledger, ledger, 100)).close();
    }

    private static EdgeLlmTargetKind kind(Map<String, String> environment) {
        return new EdgeLlmTargetKind(name -> Optional.ofNullable(environment.get(name)));
    }
}
