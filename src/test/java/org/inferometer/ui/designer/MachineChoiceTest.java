package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.MachinesTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineChoiceTest {
    @TempDir
    Path folder;

    private OtherMachine server;
    private OtherMachine lost;
    private OtherMachines machines;
    private DesignerViewModel designer;
    private ScriptedBenchmark here;
    private ScriptedBenchmark there;

    @BeforeEach
    void open() {
        InlineUi ui = new InlineUi();
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        here = new ScriptedBenchmark(library, 0);
        there = new ScriptedBenchmark(library, 0);
        Settings settings = new Settings(folder.resolve("settings.properties"));
        settings.put("machines", "ssh:gpu1\nssh:gpu2");
        machines = new OtherMachines(new MachinesTwin(host -> there).with("gpu1", MachinesTwin.GPU_SERVER), settings,
                ui.work());
        server = machines.all().getFirst();
        lost = machines.all().getLast();
        designer = new DesignerViewModel(DesktopTwin.designer(here), ui.work(), machines);
        designer.setEngines(DesktopTwin.engines());
    }

    @Test
    void enginesAndBackendsAreThoseOfTheChosenMachine() {
        designer.machine().choose(server);
        assertThat(designer.engines().all()).extracting(EngineChoice::name).containsExactly("tiny-fp8",
                "llama-8b-int4");
        assertThat(designer.backend().choices()).extracting(BackendChoice::label)
                .containsExactly("GPU (cuda), NVIDIA H200", "CPU (host), 32 cores", "Server (OpenAI API)");
        assertThat(designer.backend().chosen().get().label()).isEqualTo("CPU (host), 32 cores");
        assertThat(designer.machine().benchmarks()).isSameAs(there);
        assertThat(designer.machine().message().get()).isEmpty();
        assertThat(designer.summary()).endsWith("  ·  on ssh:gpu1");
    }

    @Test
    void theCommandNamesTheMachine() {
        assertThat(designer.command(designer.spec().orElseThrow()))
                .hasValueSatisfying(command -> assertThat(command).doesNotContain("--on"));
        designer.machine().choose(server);
        assertThat(designer.command(designer.spec().orElseThrow()))
                .hasValueSatisfying(command -> assertThat(command).endsWith(" --on ssh:gpu1"));
    }

    @Test
    void aMachineThatDoesNotAnswerSaysWhy() {
        designer.machine().choose(lost);
        assertThat(designer.machine().message().get()).isEqualTo("ssh to gpu2 failed: Could not resolve hostname.");
    }

    @Test
    void thisMachineComesBackWithItsBackends() {
        designer.machine().choose(server);
        designer.machine().choose(null);
        assertThat(designer.backend().choices()).extracting(BackendChoice::label).containsExactly("CPU (host), 2 cores",
                "Server (OpenAI API)");
        assertThat(designer.machine().benchmarks()).isSameAs(here);
    }

    @Test
    void theMachineOfTheLastSessionIsChosenWithItsEngines() {
        designer.machine().choose(server);
        designer.engines().all().getLast().selected().set(true);
        ExperimentSpec last = designer.spec().orElseThrow();
        DesignerViewModel next = new DesignerViewModel(DesktopTwin.designer(here), new InlineUi().work(), machines);
        next.setEngines(DesktopTwin.engines());
        next.restore(last, designer.machine().written());
        assertThat(next.machine().chosen().get()).isSameAs(server);
        assertThat(next.spec()).contains(last);
        next.restore(last, "ssh:gone");
        assertThat(next.machine().chosen().get()).as("a machine that is no longer listed").isSameAs(server);
    }

    @Test
    void aMachineThatLeavesTheListIsNoLongerChosen() {
        designer.machine().choose(server);
        machines.all().remove(server);
        assertThat(designer.machine().chosen().get()).isNull();
    }
}
