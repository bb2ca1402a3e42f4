package org.inferometer.suite;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.suite.serving.TestConfiguration;
import org.inferometer.suite.serving.TestConfiguration.Finding;

/// One file of a suite.
public sealed interface SuiteFile {
    Path file();

    /// An experiment, or its faults.
    ///
    /// @param spec absent if the file has faults
    record ExperimentFile(Path file, Optional<ExperimentSpec> spec, List<PlanFault> faults) implements SuiteFile {
        /// Planned runs: cells times repetitions; 0 for a file with faults.
        public int runs() {
            return spec.map(experiment -> experiment.cells().size() * experiment.runs()).orElse(0);
        }
    }

    /// A test configuration with its findings.
    ///
    /// @param reference answers that it is compared with; empty if no such file stands beside it
    record TestFile(Path file, TestId id, TestConfiguration configuration, List<Finding> findings,
            Optional<TestReference> reference) implements SuiteFile {
        /// Whether the framework's code would refuse it.
        public boolean isRefused() {
            return findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
        }

        /// Where its documentation asks for more: "Line 14: ...".
        public List<String> warnings() {
            return findings.stream().filter(finding -> finding.severity() == Finding.Severity.WARNING)
                    .map(finding -> "Line " + finding.line() + ": " + finding.sentence()).toList();
        }
    }

    /// A reference file.
    ///
    /// @param prompts number of them; 0 if it is broken
    /// @param fault why it cannot be used, one sentence; empty if it can
    record TestReference(Path file, int prompts, String fault) {}

    /// A file whose content is not known.
    record UnreadableFile(Path file, List<PlanFault> faults) implements SuiteFile {}

    /// The identity of a test configuration: `{type}/{category}/{stem}.yaml`.
    ///
    /// @param type "disagg" or "wideep"
    /// @param category "perf", "accuracy" or "stress"
    /// @param stem the file's name without its ending
    public record TestId(String type, String category, String stem) {
        /// Of a file in the folders of its type and category.
        static TestId of(Path file) {
            Path whole = file.toAbsolutePath().normalize();
            return new TestId(name(whole, 2), name(whole, 1), nameOf(String.valueOf(whole.getFileName())));
        }

        /// A path as a name: without the ending, by which no file is chosen.
        static String nameOf(String path) {
            return path.replaceFirst("\\.ya?ml$", "");
        }

        private static String name(Path file, int up) {
            int at = file.getNameCount() - 1 - up;
            return at < 0 ? "" : file.getName(at).toString();
        }

        /// "disagg_perf_deepseek-r1-fp4_1k1k_ctx1_gen4_tep8_bs32_eplb0_mtp0_ccb-NIXL".
        @Override
        public String toString() {
            return type + "_" + category + "_" + stem;
        }
    }
}
