package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The script that measures a card, with programs that only write down how they were called.
class CardScriptTest {
    private static final String CALLED = "called.txt";

    @TempDir
    private Path folder;

    private record Said(int status, String text) {}

    @ParameterizedTest
    @ValueSource(strings = {"", "--try"})
    void everyStepRunsAndItsCommandsParse(String size) throws Exception {
        programs("");
        Said all = card("all", size);
        assertThat(all.status()).as(all.text()).isZero();
        List<String> kept = new ArrayList<>(List.of("agreement.json", "bench.txt", "build-bf16.txt", "build-fp8.txt",
                "build-int4.txt", "dependent.txt", "devices.txt", "graphs.txt", "kernels.json", "loads.txt",
                "memory.txt", "ncu-wgmma.txt", "nvidia-smi.txt", "parallel.txt", "precisions.txt", "schedulers.txt",
                "steps.json", "tiny.txt", "top-p.txt", "top-p.yaml", "wgmma.txt", "wgmma-dependent.txt"));
        for (String tool : List.of("memcheck", "racecheck", "synccheck")) {
            for (String kernels : List.of("tiny", "dependent", "wgmma", "wgmma-dependent")) {
                kept.add(tool + "-" + kernels + ".txt");
            }
        }
        kept.addAll(size.isEmpty()
                ? List.of("ncu-attend_f16_64x4k.txt", "ncu-fp8_gate_up_1.txt", "ncu-fp8_gate_up_2048.txt")
                : List.of("ncu-attend_f16_ragged.txt"));
        kept.add("ncu-int4_gate_up_1.txt");
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(kept);
        }
        List<String> commands = called("inferometer");
        assertThat(commands).hasSize(1 + 3 + 3 + 6);
        assertThat(commands.stream().filter(command -> command.startsWith("selfcheck"))).hasSize(3)
                .allMatch(command -> command.endsWith("--small") == !size.isEmpty());
        try (CliFixture cli = new CliFixture(folder)) {
            for (String command : commands) {
                assertThat(cli.cli(new ByteArrayOutputStream(), new ByteArrayOutputStream()).commands()
                        .parseArgs(command.split(" ")).hasSubcommand()).as(command).isTrue();
            }
        }
    }

    @Test
    void skippedPartsAreNamedAtTheEnd() throws Exception {
        assumeThat(Stream.of("ncu", "compute-sanitizer").map(Path.of("/usr/bin")::resolve)).noneMatch(Files::exists);
        programs("");
        Files.delete(folder.resolve("ncu"));
        Files.delete(folder.resolve("compute-sanitizer"));
        Said all = card("all", "--try", "/usr/bin:/bin");
        assertThat(all.status()).as(all.text()).isZero();
        assertThat(all.text()).endsWith("all: done; see " + folder.resolve("out")
                + "\nskipped: compute-sanitizer is not installed\nskipped: ncu is not installed\n");
    }

    @Test
    void aFailureEndsTheScript() throws Exception {
        programs("exit 7");
        assertThat(card("all", "").text())
                .endsWith("card.sh: devices failed with status 7; see " + folder.resolve("out") + "\n");
        assertThat(called("inferometer")).containsExactly("devices");
    }

    @Test
    void aGpuThatIsNotCheckedEndsTheScript() throws Exception {
        programs("echo '\"state\" : \"NOT_CHECKED\"'");
        Said agreement = card("agreement", "");
        assertThat(agreement.status()).isEqualTo(1);
        assertThat(agreement.text())
                .endsWith("card.sh: the GPU was not checked; see " + folder.resolve("out/agreement.json") + "\n");
    }

    @Test
    void anUnknownStepPrintsTheSteps() throws Exception {
        Said unknown = card("run", "");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.text()).contains("   card.sh STEP FOLDER [--try]").contains("   launches ");
    }

    /// Programs in a folder that is searched first.
    ///
    /// @param then what `inferometer` does at its end
    private void programs(String then) throws IOException {
        for (String name : List.of("inferometer", "kernel_bench", "nvidia-smi", "ncu", "compute-sanitizer")) {
            Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\necho \"" + name + " $*\" >> "
                    + folder.resolve(CALLED) + "\n" + (name.equals("inferometer") ? then : "") + "\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
    }

    private List<String> called(String program) throws IOException {
        return Files.readAllLines(folder.resolve(CALLED)).stream().filter(line -> line.startsWith(program + " "))
                .map(line -> line.substring(program.length() + 1)).toList();
    }

    private Said card(String step, String size) throws IOException, InterruptedException {
        return card(step, size, System.getenv("PATH"));
    }

    private Said card(String step, String size, String path) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                Arrays.asList("bash", Path.of("src/main/cuda/bench/card.sh").toAbsolutePath().toString(), step,
                        folder.resolve("out").toString()));
        if (!size.isEmpty()) {
            command.add(size);
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("PATH", folder + ":" + path);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }
}
