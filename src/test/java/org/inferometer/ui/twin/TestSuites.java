package org.inferometer.ui.twin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.suite.ServingConfigurations;

/// A folder with test configurations and experiments of every kind.
public final class TestSuites {
    private TestSuites() {}

    /// Writes it beside a folder.
    public static Path written(Path beside) {
        Path folder = beside.resolveSibling("test_configs");
        try {
            Path perf = Files.createDirectories(folder.resolve("disagg/perf"));
            Files.writeString(perf.resolve("deepseek-r1-fp4_1k1k_ctx1_gen4_tep8_bs32_eplb0_mtp0_ccb-NIXL.yaml"),
                    ServingConfigurations.MINIMAL);
            Files.writeString(perf.resolve("deepseek-r1-fp4_1k1k_ctx1_gen1_dep32_bs32_eplb0_mtp0_ccb-UCX.yaml"),
                    ServingConfigurations.MINIMAL.replace("1 2 32", "1 64 x").replace("streaming: true",
                            "streaming: false\n  streeming: true"));
            Files.writeString(perf.resolve("generation.yaml"),
                    ServingConfigurations.MINIMAL.replace("mode: e2e", "mode: e2e\n  multi_round: 9000000"));
            Path wide = Files.createDirectories(folder.resolve("wideep/perf"));
            Files.writeString(wide.resolve("k2_8k1k.yaml"), ServingConfigurations.AGGREGATED);
            Files.writeString(folder.resolve("night.yaml"),
                    "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [short]\nruns: 2\n");
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
