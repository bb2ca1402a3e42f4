package org.inferometer.ui.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.machines.OtherMachines.OtherMachine.State;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.MachinesTwin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherMachinesTest {
    @TempDir
    Path folder;

    private OtherMachines machines() {
        return new OtherMachines(new MachinesTwin().with("gpu1", MachinesTwin.GPU_SERVER),
                new Settings(folder.resolve("settings.properties")), new InlineUi().work());
    }

    @Test
    void anAddedMachineSaysWhatItHas() {
        OtherMachines machines = machines();
        assertThat(machines.add(" gpu1 ")).isEmpty();
        OtherMachine added = machines.all().getFirst();
        assertThat(added.written()).isEqualTo("ssh:gpu1");
        assertThat(added.state().get()).isEqualTo(new State.Ready(MachinesTwin.GPU_SERVER));
        assertThat(((State.Ready) added.state().get()).facts())
                .isEqualTo("Example server CPU, 64 cores, NVIDIA H200; 2 engines; Inferometer 0.2.0");
    }

    @Test
    void aMachineThatDoesNotAnswerSaysWhy() {
        OtherMachines machines = machines();
        assertThat(machines.add("ssh:me@gpu2,port=2222")).isEmpty();
        assertThat(machines.all().getFirst().state().get())
                .isEqualTo(new State.Unreachable("ssh to me@gpu2 failed: Could not resolve hostname."));
    }

    @Test
    void namesThatAreNoMachineAreRefused() {
        OtherMachines machines = machines();
        assertThat(machines.add("-oProxyCommand=x")).hasValueSatisfying(
                why -> assertThat(why).endsWith("is no name of a machine. Write ssh:HOST or ssh:USER@HOST."));
        assertThat(machines.add("gpu1")).isEmpty();
        assertThat(machines.add("ssh:gpu1")).contains("ssh:gpu1 is in the list.");
        assertThat(machines.all()).hasSize(1);
    }

    @Test
    void machinesAreKeptForTheNextStart() {
        OtherMachines first = machines();
        first.add("gpu1");
        first.add("gpu2,workspace=/data/lab");
        assertThat(machines().all()).extracting(OtherMachine::written).containsExactly("ssh:gpu1",
                "ssh:gpu2,workspace=/data/lab");
        first.all().removeFirst();
        OtherMachines later = machines();
        assertThat(later.all()).extracting(OtherMachine::written).containsExactly("ssh:gpu2,workspace=/data/lab");
        assertThat(later.all().getFirst().state().get()).isEqualTo(new State.NotAsked());
    }

    @Test
    void theClusterIsDescribedOrItsAbsence() {
        OtherMachines machines = machines();
        machines.askCluster();
        assertThat(machines.cluster().get()).isEqualTo("No Slurm here: sbatch is not on the PATH.");
    }
}
