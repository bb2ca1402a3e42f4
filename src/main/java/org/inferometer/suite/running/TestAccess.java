package org.inferometer.suite.running;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Access;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.SuiteFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;

/// What a test or one of its experiments uses outside the program. Suites and sessions may come from others.
///
/// @param origin the test, for messages
/// @param engines that it runs
public record TestAccess(String origin, List<Access> accesses, List<String> engines) {
    /// What the files of a suite use. What the command line names needs no approval.
    ///
    /// @param ownOptions whether a test's own options of sbatch are used
    public static List<TestAccess> of(SessionPlanner planner, List<SuiteFile> files, boolean ownOptions,
            BenchmarkService service) {
        List<TestAccess> all = new ArrayList<>();
        for (SuiteFile file : files) {
            SessionPlanner.PlannedTest planned = planner.planned(file);
            String shown = planner.suite().shown(file.file());
            planned.experiments().forEach(spec -> all.add(new TestAccess(shown,
                    file instanceof ExperimentFile ? service.accesses(spec) : List.of(), spec.engines())));
            if (file instanceof TestFile test && ownOptions && planned.mapped().isPresent()) {
                all.add(new TestAccess(shown, SessionPlanner.request(test, planned.mapped().get().launch()).accesses(),
                        List.of()));
            }
        }
        return all;
    }

    /// What the tests of a session use that did not end well.
    ///
    /// @param again whether those that have ended run, too
    /// @param ownOptions whether a test's own options of sbatch are used
    /// @throws PlanException if an experiment file is broken
    public static List<TestAccess> of(SessionFolder folder, boolean again, boolean ownOptions, BenchmarkService service)
            throws IOException, PlanException {
        List<TestAccess> all = new ArrayList<>();
        SuiteSession session = folder.read();
        for (SessionTest test : session.tests()) {
            if (test.canBeginAgain() && session.isOnCluster() && ownOptions) {
                all.add(new TestAccess(test.id(), test.own().accesses(), List.of()));
            }
            if (test.canBeginAgain() && (again || !test.state().isEnd())) {
                for (String name : test.experiments()) {
                    ExperimentSpec spec = new SpecReader().read(folder.of(test).resolve(name));
                    all.add(new TestAccess(test.id(), service.accesses(spec), spec.engines()));
                }
            }
        }
        return all;
    }

    /// Bytes of the engines that tests would build first.
    public static long buildBytes(List<TestAccess> tests, BenchmarkService service) {
        List<String> engines = tests.stream().flatMap(test -> test.engines().stream()).distinct().toList();
        return engines.isEmpty() ? 0 : service.buildBytes(ExperimentSpec.STANDARD.withEngines(engines));
    }
}
