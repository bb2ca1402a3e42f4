package org.inferometer.suite.mapping;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.suite.launch.TrtllmLaunch;

/// A test as experiments of this program.
///
/// @param experiments one for each group of servers; empty if the test is blocked
/// @param fields every field of the configuration
/// @param blocked why it cannot run here, one sentence each; empty if it can
/// @param launch of the servers that its job starts; empty if it starts none
public record MappedTest(List<ExperimentSpec> experiments, List<MappedField> fields, List<String> blocked,
        Optional<TrtllmLaunch> launch) {
    public MappedTest {
        experiments = List.copyOf(experiments);
        fields = List.copyOf(fields);
        blocked = List.copyOf(blocked);
    }

    /// What became of one field of a test configuration.
    ///
    /// @param field its path: "worker_config.gen.max_batch_size"
    /// @param value as written
    /// @param sentence what it does here, or why it does nothing
    public record MappedField(String field, String value, Use use, String sentence) {
        /// How a field is used.
        public enum Use {
            /// Does what it says.
            USED,
            /// Does something near to it.
            CHANGED,
            /// Does nothing.
            NOT_USED
        }
    }
}
