package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;

/// One experiment with the cells of an earlier one and of a changed one, so that both are measured again in turn and their runs are paired.
///
/// An experiment is a product: the union has every engine with every scheduler, backend and workload of both, which may be more cells than the two
/// have. Runs, seed, goal and warm-up are those of the changed one. A target whose name has become another target's keeps its name with " before".
public final class ReplicatedSpec {
    private static final String BEFORE = " before";

    private ReplicatedSpec() {}

    /// @throws IllegalArgumentException with one sentence where there is nothing to compare or no such product
    public static ExperimentSpec of(ExperimentSpec earlier, ExperimentSpec changed) {
        if (earlier.search() || changed.search()) {
            throw new IllegalArgumentException(
                    "A search chooses its loads and cannot be measured in turn with others. Give fixed loads.");
        }
        boolean bothHaveEngines = !earlier.engines().isEmpty() && !changed.engines().isEmpty();
        if (bothHaveEngines
                && !(earlier.limits().equals(changed.limits()) && earlier.kvBytes().equals(changed.kvBytes()))) {
            throw new IllegalArgumentException("The limits or the KV memory differ. Give all their values in one run,"
                    + " as in --max-batch-size 4,8, in place of --against.");
        }
        if (new HashSet<>(earlier.cells()).containsAll(changed.cells())) {
            throw new IllegalArgumentException("Every cell is in the earlier experiment already. Change an engine, a"
                    + " scheduler, a backend or a target, or repeat it with --again.");
        }
        List<Selection> targets = new ArrayList<>();
        String baseline = earlier.baselineSystem().orElse(null);
        for (Selection target : earlier.targets()) {
            String system = new TargetSubject(target).system();
            boolean taken = changed.targets().stream()
                    .anyMatch(other -> !other.equals(target) && new TargetSubject(other).system().equals(system));
            targets.add(taken ? named(target, system + BEFORE) : target);
            baseline = taken && system.equals(baseline) ? system + BEFORE : baseline;
        }
        changed.targets().stream().filter(target -> !targets.contains(target)).forEach(targets::add);
        ExperimentSpec union = changed.withEngines(union(earlier.engines(), changed.engines()))
                .withWorkloads(union(earlier.workloads(), changed.workloads())).named(changed.name() + "-against");
        union = ExperimentFields.SCHEDULERS.with(union, union(earlier.schedulers(), changed.schedulers()));
        union = ExperimentFields.BACKEND.with(union, union(earlier.backends(), changed.backends()));
        ExperimentSpec engines = changed.engines().isEmpty() ? earlier : changed;
        union = union.withLimits(engines.kvBytes(), engines.limits());
        boolean asked = changed.baseline() != null && !changed.baseline().equals(earlier.baseline());
        return ExperimentFields.TARGETS.with(union, targets).withBaseline(asked ? changed.baseline() : baseline);
    }

    /// Cells of the union that neither experiment has.
    public static long addedCells(ExperimentSpec earlier, ExperimentSpec changed) {
        Set<Cell> both = new HashSet<>(earlier.cells());
        both.addAll(changed.cells());
        return of(earlier, changed).cellCount() - both.size();
    }

    private static Selection named(Selection target, String name) {
        Map<String, String> options = new LinkedHashMap<>(target.options());
        options.put("name", name);
        return new Selection(target.name(), options);
    }

    private static <T> List<T> union(List<T> earlier, List<T> changed) {
        Set<T> union = new LinkedHashSet<>(earlier);
        union.addAll(changed);
        return List.copyOf(union);
    }
}
