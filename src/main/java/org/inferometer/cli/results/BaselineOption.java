package org.inferometer.cli.results;

import java.util.List;
import org.inferometer.cli.WrongUse;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--baseline`: holds a result that is there already against another of its schedulers.
final class BaselineOption {
    @Option(names = "--baseline", paramLabel = "NAME[:opt=value,...]",
            description = "Scheduler that the others are held against, as it was chosen or by its name. Default: the result's own.")
    @Nullable
    String asked;

    /// The result with this baseline; as it is where none was asked for.
    ///
    /// @throws WrongUse when the result has no such scheduler, or several
    ExperimentRecord over(ExperimentRecord experiment) throws WrongUse {
        if (asked == null) {
            return experiment;
        }
        ExperimentManifest manifest = experiment.manifest();
        ExperimentSpec spec = manifest.spec().withBaseline(asked);
        if (spec.baselineSystem().isEmpty()) {
            throw new WrongUse(fault(asked, spec));
        }
        ExperimentManifest changed = new ExperimentManifest(manifest.formatVersion(), manifest.id(), spec,
                manifest.plan(), manifest.runFolders(), manifest.machine(), manifest.startedWall(),
                manifest.endedWall(), manifest.status(), manifest.failure(), manifest.cells(), manifest.verdict(),
                manifest.shareSafe(), manifest.importedWall());
        return new ExperimentRecord(experiment.folder(), changed, experiment.runs(), experiment.notes());
    }

    private static String fault(String asked, ExperimentSpec spec) {
        List<String> named = spec.systemsNamed(asked);
        return "--baseline: " + (named.size() > 1
                ? named.size() + " schedulers of the result are named " + asked + ": write "
                        + String.join(" or ", named) + "."
                : NearMisses.sentence("scheduler of the result", asked, spec.systems()));
    }
}
