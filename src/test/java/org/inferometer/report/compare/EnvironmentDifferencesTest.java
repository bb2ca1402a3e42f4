package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MachineDescription.Environment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EnvironmentDifferencesTest {
    private static MachineDescription machine(String system, @Nullable Environment environment) {
        return new MachineDescription(system, "amd64", "CPU", 1, 2, 1, "Java 25", 128, List.of(), "1", environment);
    }

    @Test
    void everyPropertyThatDiffersIsNamed() {
        MachineDescription base = machine("Linux, kernel 6.1", new Environment("powersave", "", "590.1", "", 0.02));
        MachineDescription other =
                machine("Linux, kernel 6.9", new Environment("performance", "-XX:+UseZGC", "595.2", "", 0.31));
        assertThat(SideDifferences.environment(base, other)).containsExactly(
                "Environment that differs: operating system Linux, kernel 6.1 → Linux, kernel 6.9; Java flags none → -XX:+UseZGC;"
                        + " CPU governor powersave → performance; GPU driver 590.1 → 595.2.",
                "Other programs used 31 % of all cores before the first run of the candidate.");
        assertThat(SideDifferences.environment(base, base)).isEmpty();
    }

    @Test
    void unknownIsNotTheSame() {
        MachineDescription old = machine("Linux", null);
        assertThat(SideDifferences.environment(old, machine("Linux", new Environment("performance", "", "", "", null))))
                .containsExactly(
                        "Environment that differs: Java flags not known → none; CPU governor not known → performance.");
        assertThat(SideDifferences.environment(old, old)).isEmpty();
    }
}
