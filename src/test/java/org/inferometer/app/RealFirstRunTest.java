package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.run.Workspace;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.ui.shell.FirstRun;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.LongForm;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The first run with everything real: engines are built, workers run, charts are drawn from what they measure.
class RealFirstRunTest extends FirstRun {
    private static final int REQUESTS = 8;
    private static final int LASTING_RUNS = 100;

    @Override
    protected DesktopServices services(Path emptyFolder, boolean lasting) throws IOException {
        SmallestEngines.into(emptyFolder);
        DesktopServices real = DesktopWiring.services(
                new Program(new Workspace(emptyFolder), EnvironmentVariables.ofProcess(), HastyWorker.in(emptyFolder)),
                new Settings(emptyFolder.resolve("settings.properties")));
        DesignerServices choices = real.designer();
        DesignerServices shorter = new DesignerServices(choices.benchmarks(), choices.engineFolder(), choices.engines(),
                choices.schedulers(), choices.workloads(), choices.backends(), choices.backendOptions(),
                shorter(lasting), choices.presets(), choices.reader());
        return new DesktopServices(shorter, real.results(), real.machine(), real.devices(), real.composer(),
                real.renderer(), real.settings(), real.machines(), real.prompts(), real.clock(), real.version());
    }

    /// What the scripted one sees with the mouse, on real runs.
    @Override
    @Test
    @LongForm
    protected void aPersonGetsFromWelcomeToAReportWithTheMouse() throws Exception {
        super.aPersonGetsFromWelcomeToAReportWithTheMouse();
    }

    @Override
    @Test
    @Tag("lasting")
    @LongForm
    protected void stoppingAsksAndKeepsWhatWasMeasured() throws Exception {
        super.stoppingAsksAndKeepsWhatWasMeasured();
    }

    @Override
    protected void liveWasSeen() {
        // A real experiment goes on by itself.
    }

    @Override
    protected long patienceSeconds() {
        return 180;
    }

    private static ExperimentSpec shorter(boolean lasting) {
        ExperimentSpec quick = new Presets().find("quick");
        return new ExperimentSpec(quick.name(), quick.engines().subList(0, 1),
                lasting ? quick.schedulers() : quick.schedulers().subList(0, 1),
                List.of(new WorkloadPresets().find("basic").withRequests(REQUESTS)), quick.backends().getFirst(),
                lasting ? LASTING_RUNS : quick.runs(), quick.warmUpRequests(), quick.seed(), quick.sampleEveryMillis(),
                0, quick.limits());
    }
}
