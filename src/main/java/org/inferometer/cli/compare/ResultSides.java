package org.inferometer.cli.compare;

import java.util.List;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.ResultChoice;
import org.inferometer.cli.WrongUse;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ComparedSide;

/// Finds what a person holds against something else: `RESULT` for all cells of it, `RESULT#2` or `RESULT#LABEL` for one, `RESULT#run-003`
/// for a run.
final class ResultSides {
    static final String HELP =
            "Its id, its folder, or latest; RESULT#2 means its second cell, RESULT#run-003 a single run.";
    private final ResultChoice choice;

    ResultSides(CliServices services) {
        this.choice = new ResultChoice(services);
    }

    /// At least one side.
    ///
    /// @throws WrongUse when there is no such result or part, or it holds no complete run
    List<ComparedSide> named(String named) throws WrongUse {
        int at = named.lastIndexOf(ComparedSide.PART);
        if (at < 0) {
            ExperimentRecord experiment = choice.open(named);
            return found(ComparedSide.cells(experiment), named + " has no complete run to compare.");
        }
        ExperimentRecord experiment = choice.open(named.substring(0, at));
        String part = named.substring(at + 1);
        List<ComparedSide> cells = ComparedSide.cells(experiment);
        String there = String.join(", ", cells.stream().map(ComparedSide::name).toList());
        return found(ComparedSide.part(experiment, part).stream().toList(),
                "\"" + part + "\" is neither a cell nor a run of " + named.substring(0, at) + "; it has "
                        + (there.isEmpty() ? "no cell" : there) + ".");
    }

    private static List<ComparedSide> found(List<ComparedSide> sides, String otherwise) throws WrongUse {
        if (sides.isEmpty()) {
            throw new WrongUse(otherwise);
        }
        return sides;
    }
}
