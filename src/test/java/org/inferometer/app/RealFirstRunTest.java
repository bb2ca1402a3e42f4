package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.benchmark.ExperimentSpec;
import org.inferometer.benchmark.Presets;
import org.inferometer.benchmark.Workspace;
import org.inferometer.ui.bench.BenchServices;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.ui.shell.FirstRun;
import org.inferometer.ui.shell.SettingsFile;

/// The first run with everything real: engines are built, workers run, charts are drawn from what they measure.
class RealFirstRunTest extends FirstRun {
    private static final int REQUESTS = 8;

    @Override
    protected DesktopServices services(Path emptyFolder) throws IOException {
        for (String engine : List.of("tiny-fp8", "tiny-int4")) {
            Path recipe = Files.createDirectories(emptyFolder.resolve("engines").resolve(engine)).resolve("recipe.yaml");
            Files.copy(Path.of("engines", engine, "recipe.yaml"), recipe);
        }
        DesktopServices real = DesktopWiring.services(new Program(new Workspace(emptyFolder)));
        BenchServices bench = real.bench();
        BenchServices shorter = new BenchServices(
                bench.benchmarks(), bench.engines(), bench.schedulers(), bench.workloads(), bench.backends(), fewerRequests(), bench.desk());
        SettingsFile settings = new SettingsFile(emptyFolder.resolve("settings.properties"));
        return new DesktopServices(
                shorter, real.shelves(), real.schedulers(), real.machine(), real.devices(), real.composer(), real.renderer(), settings, real.clock(), real.version());
    }

    @Override
    protected void liveWasSeen() {
        // A real experiment goes on by itself.
    }

    @Override
    protected long patienceSeconds() {
        return 180;
    }

    private static ExperimentSpec fewerRequests() {
        ExperimentSpec quick = new Presets().find("quick");
        return new ExperimentSpec(
                quick.name(),
                quick.engines(),
                quick.schedulers(),
                quick.workloads().stream().map(workload -> workload.withRequests(REQUESTS)).toList(),
                quick.backend(),
                quick.runs(),
                quick.warmUpRequests(),
                quick.seed(),
                quick.sampleEveryMillis(),
                quick.kvBytes(),
                quick.limits());
    }
}
