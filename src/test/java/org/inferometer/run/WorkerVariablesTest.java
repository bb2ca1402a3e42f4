package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.inferometer.options.Selection;
import org.inferometer.record.PlannedSubject;
import org.inferometer.record.RunPlan;
import org.inferometer.record.SamplePlans;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.target.edgellm.EdgeLlmTargetKind;
import org.inferometer.target.http.HttpTargetKind;
import org.inferometer.units.EnvFile;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Test;

class WorkerVariablesTest {
    private static final EnvironmentVariables ENVIRONMENT =
            new EnvironmentVariables(Map.of("LLM_MODEL", "of-the-process"), Map.of(), List.of()).with(new EnvFile(
                    Map.of("MY_KEY", "sk-1", "OTHER", "sk-2", "VLLM_HOST", "10.0.0.7", "LLM_MODEL", "of-the-file",
                            "EDGELLM_HOME", "/opt/edge", "EDGELLM_PLUGIN_PATH", "/opt/plugin.so"),
                    List.of()));
    private static final WorkerVariables VARIABLES = new WorkerVariables(
            new TargetKinds(List.of(new HttpTargetKind(ENVIRONMENT::value), new EdgeLlmTargetKind(ENVIRONMENT::value))),
            ENVIRONMENT);

    private static final RunPlan ENGINE = SamplePlans.plan("experiment", 0, 0,
            SamplePlans.cell("tiny", Selection.parse("naive"), new WorkloadPresets().find("short"),
                    Selection.parse("host")),
            0, "engines/tiny", "results/run-000", 1, 1, 0, 1, new Limits(8, 128, 1_000), LaneLayout.sharing(1));

    private static Map<String, String> of(String target) {
        return VARIABLES.of(ENGINE.in(new PlannedSubject.PlannedTarget(Selection.parse(target)), ENGINE.folder()));
    }

    @Test
    void targetGetsWhatItsOptionsName() {
        assertThat(of("http:api_key_env=MY_KEY")).isEqualTo(Map.of("MY_KEY", "sk-1", "VLLM_HOST", "10.0.0.7"));
        assertThat(of("http:url=http://127.0.0.1:8000")).isEqualTo(Map.of());
        assertThat(of("edgellm:engine_dir=fp8"))
                .isEqualTo(Map.of("EDGELLM_HOME", "/opt/edge", "EDGELLM_PLUGIN_PATH", "/opt/plugin.so"));
        assertThat(of("http:api_key_env=NOT_SET")).isEqualTo(Map.of());
    }

    @Test
    void engineGetsNothing() {
        assertThat(VARIABLES.of(ENGINE)).isEqualTo(Map.of());
    }
}
