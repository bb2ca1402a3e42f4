package org.inferometer.suite.mapping;

import java.util.List;
import org.inferometer.experiment.ExperimentSpec;

/// A test as experiments of this program.
///
/// @param experiments one for each group of servers; empty if the test is blocked
/// @param fields every field of the configuration
/// @param blocked why it cannot run here, one sentence each; empty if it can
public record MappedTest(List<ExperimentSpec> experiments, List<MappedField> fields, List<String> blocked) {
    public MappedTest {
        experiments = List.copyOf(experiments);
        fields = List.copyOf(fields);
        blocked = List.copyOf(blocked);
    }
}
