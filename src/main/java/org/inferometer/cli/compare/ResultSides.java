package org.inferometer.cli.compare;

import java.util.List;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.KnownVariation;
import org.inferometer.results.SelfCheckFile;
import org.jspecify.annotations.Nullable;

/// Finds one side of a comparison: `RESULT` means all its cells, `RESULT#2` or `RESULT#LABEL` one cell, `RESULT#run-003` one run.
final class ResultSides {
    static final String HELP = "Result ID, folder or latest. RESULT#2 is its second cell, RESULT#run-003 one run.";
    private final ResultFinder choice;
    private final CliServices services;
    private final boolean withRuns;

    /// @param withRuns whether the sides keep their runs, for charts
    ResultSides(CliServices services, boolean withRuns) {
        this.choice = new ResultFinder(services);
        this.services = services;
        this.withRuns = withRuns;
    }

    /// What the last self-check learned of the variation between experiments.
    KnownVariation variation() {
        return KnownVariation.of(new SelfCheckFile(services.workspace().results()));
    }

    /// At least one side.
    ///
    /// @throws UsageException if the result or part does not exist or has no complete run
    List<ComparedSide> find(String named) throws UsageException {
        int at = named.lastIndexOf(ComparedSide.PART);
        if (at < 0) {
            ExperimentRecord experiment = choice.open(named);
            return nonEmpty(ComparedSide.cells(experiment), named + " has no complete run to compare.");
        }
        ExperimentRecord experiment = choice.open(named.substring(0, at));
        String part = named.substring(at + 1);
        List<ComparedSide> cells = ComparedSide.cells(experiment);
        String names = String.join(", ", cells.stream().map(ComparedSide::name).toList());
        return nonEmpty(ComparedSide.part(experiment, part).stream().toList(),
                "\"" + part + "\" is neither a cell nor a run of " + named.substring(0, at) + ". Cells: "
                        + (cells.isEmpty() ? "none" : names) + ".");
    }

    /// As [#find], of sides whose model is another's.
    List<ComparedSide> findCalling(String named, @Nullable String model) throws UsageException {
        return find(named).stream().map(side -> side.calling(model)).toList();
    }

    private List<ComparedSide> nonEmpty(List<ComparedSide> sides, String fault) throws UsageException {
        if (sides.isEmpty()) {
            throw new UsageException(fault);
        }
        return withRuns ? sides : sides.stream().map(ComparedSide::withoutRuns).toList();
    }
}
