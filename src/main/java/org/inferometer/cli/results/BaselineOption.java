package org.inferometer.cli.results;

import java.util.List;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--baseline`: compares the cells of a result with another of its schedulers or targets.
final class BaselineOption {
    @Option(names = "--baseline", paramLabel = "NAME[:opt=value,...]",
            description = "Scheduler or target to compare with, by name or as selected. Default: the baseline of the result.")
    @Nullable
    String given;

    /// The result with this baseline; unchanged without the option.
    ///
    /// @throws UsageException if the result has no such scheduler or target, or several
    ExperimentRecord over(ExperimentRecord experiment) throws UsageException {
        if (given == null) {
            return experiment;
        }
        ExperimentManifest manifest = experiment.manifest();
        ExperimentSpec spec = manifest.spec().withBaseline(given);
        if (spec.baselineSystem().isEmpty()) {
            throw new UsageException(fault(given, spec));
        }
        ExperimentManifest changed = manifest.withSpec(spec);
        return new ExperimentRecord(experiment.folder(), changed, experiment.runs(), experiment.notes());
    }

    private static String fault(String given, ExperimentSpec spec) {
        List<String> named = spec.systemsNamed(given);
        return "--baseline: " + (named.size() > 1
                ? named.size() + " systems are named " + given + ". Write " + String.join(" or ", named) + "."
                : NearMisses.sentence("scheduler or target", given, spec.systems()));
    }
}
