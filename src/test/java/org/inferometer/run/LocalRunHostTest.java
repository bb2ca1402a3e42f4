package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LocalRunHostTest {
    @TempDir
    Path folder;

    private LocalRunHost host(String... locks) {
        return new LocalRunHost(List.of("worker"), folder, List.of(locks).stream().map(folder::resolve).toList());
    }

    @Test
    void oneSharedLockRefusesASecondExperiment() throws Exception {
        try (Closeable held = host("machine.lock", "workspace.lock").reserve()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> host("machine.lock", "other.lock").reserve()).isInstanceOf(RunFailure.class);
            assertThatThrownBy(() -> host("other.lock", "workspace.lock").reserve()).isInstanceOf(RunFailure.class);
            host("other.lock").reserve().close();
        }
        host("machine.lock", "workspace.lock").reserve().close();
    }

    @Test
    void aHostRunsOneExperimentAtATime() throws Exception {
        LocalRunHost host = host("machine.lock");
        try (Closeable held = host.reserve()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(host::reserve).isInstanceOf(RunFailure.class)
                    .hasMessage("Another experiment is running in this program. Wait, or stop it.");
        }
        host.reserve().close();
    }

    @Test
    void machineLocksAreTheSameForEveryUser() {
        List<Path> locks = LocalRunHost.machineLocks(folder, EnvironmentVariables.NONE);
        assertThat(locks.getFirst().isAbsolute()).isTrue();
        assertThat(LocalRunHost.machineLocks(folder, EnvironmentVariables.NONE)).isEqualTo(locks);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aCrashedKeeperOrWorkerWritesNothingIntoTheCurrentFolder() {
        assertThat(LocalRunHost.keeperCommand(folder)).contains("-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder + "/hs_err_pid%p.log", "-XX:ReplayDataFile=" + folder + "/replay_pid%p.log");
        assertThat(LocalRunHost.workerCommand("Main", List.of())).contains("-XX:-CreateCoredumpOnCrash");
    }
}
