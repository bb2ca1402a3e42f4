package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Of the files that one tool writes beside each other, a folder gives those that say most.
class ImportFolderTest {
    @TempDir
    Path folder = Path.of("");

    private List<String> read(String name, String... files) throws IOException {
        Path tool = Files.createDirectory(folder.resolve(name));
        for (String file : files) {
            Files.writeString(tool.resolve(file), "{}");
        }
        return ImportFolder.files(tool).stream().map(file -> file.getFileName().toString()).toList();
    }

    @Test
    void stagesOfInferencePerfAreResultsAndRequestsOfOneStage() throws IOException {
        assertThat(read("several", "config.yaml", "stage_0_lifecycle_metrics.json", "stage_1_lifecycle_metrics.json",
                "summary_lifecycle_metrics.json", "per_request_lifecycle_metrics.json",
                "stage_0_prometheus_metrics.json", "summary_session_lifecycle_metrics.json",
                "benchmark_report_v0.2,_stage_0_lifecycle_metrics.json.yaml"))
                .containsExactly("stage_0_lifecycle_metrics.json", "stage_1_lifecycle_metrics.json");
        assertThat(read("one", "stage_0_lifecycle_metrics.json", "summary_lifecycle_metrics.json",
                "per_request_lifecycle_metrics.json")).containsExactly("per_request_lifecycle_metrics.json");
        assertThat(read("plain", "summary_lifecycle_metrics.json", "summary_prometheus_metrics.json"))
                .containsExactly("summary_lifecycle_metrics.json");
    }

    @Test
    void summariesBesideTheirPartsAreReadOnce() throws IOException {
        assertThat(read("llmperf", "m_550_150_summary.json", "m_550_150_individual_responses.json"))
                .containsExactly("m_550_150_summary.json");
        assertThat(read("answers", "m_individual_responses.json")).containsExactly("m_individual_responses.json");
        assertThat(read("mlperf", "mlperf_log_summary.txt", "mlperf_log_detail.txt.gz", "mlperf_log_accuracy.json",
                "mlperf_log_trace.json", "notes.txt")).containsExactly("mlperf_log_detail.txt.gz");
        assertThat(read("vllm", "run.json", "run.pytorch.json", "other.pytorch.json"))
                .containsExactly("other.pytorch.json", "run.json");
        assertThat(read("aiperf", "profile_export.jsonl", "profile_export_aiperf.json", "inputs.json", "extra.csv"))
                .containsExactly("extra.csv", "profile_export.jsonl");
        assertThat(read("reports", "benchmark_report_v0.1.yaml", "values.yaml", "deploy.yml"))
                .containsExactly("benchmark_report_v0.1.yaml");
    }
}
