package org.inferometer.suite.mapping;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.TestReference;
import org.inferometer.suite.figures.AnswerReference;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The prompts of an accuracy test's reference file as its load.
record ReferenceLoad(TestReference reference) {
    /// Empty if the test has no such file, or a broken one; the reason is added.
    static Optional<ReferenceLoad> of(TestFile test, List<String> blocked) {
        if (test.reference().isEmpty()) {
            String tasks = test.configuration().file().section("accuracy").text("tasks");
            blocked.add("An accuracy test needs its data set" + (tasks.isEmpty() ? "" : " " + tasks)
                    + ", which is not here. To compare answers with a reference, write "
                    + AnswerReference.of(test.file()).getFileName() + " beside it.");
            return Optional.empty();
        }
        TestReference reference = test.reference().get();
        if (!reference.fault().isEmpty()) {
            blocked.add(reference.fault());
            return Optional.empty();
        }
        return Optional.of(new ReferenceLoad(reference));
    }

    /// The experiment with these prompts, each asked once, as many at a time as its widest load has; answers are kept.
    ExperimentSpec asked(ExperimentSpec spec) {
        WorkloadSpec widest = spec.workloads().getLast();
        int inFlight = widest.arrivals() instanceof ArrivalProcess.ClosedLoop(int concurrency) ? concurrency : 1;
        return spec
                .withWorkloads(List.of(widest.withName("reference")
                        .withPromptFile(reference.file().toAbsolutePath().toString()).withRequests(reference.prompts())
                        .withArrivals(new ArrivalProcess.ClosedLoop(Math.min(inFlight, reference.prompts())))))
                .withTexts();
    }
}
