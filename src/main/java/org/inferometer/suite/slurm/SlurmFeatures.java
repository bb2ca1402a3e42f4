package org.inferometer.suite.slurm;

import java.util.regex.Pattern;

/// What an installation of Slurm can do.
///
/// @param version "22.05.8"; empty if not told
/// @param segment whether `sbatch` takes `--segment` (blocks of a topology)
/// @param containers whether `srun` takes `--container-image` (the pyxis plugin)
/// @param accounting whether `sacct` reads a database of jobs
public record SlurmFeatures(String version, boolean segment, boolean containers, boolean accounting) {
    private static final Pattern VERSION = Pattern.compile("\\b\\d+\\.\\d+(\\.\\d+)?\\S*");
    private static final Pattern SEGMENT = Pattern.compile("(?m)^[ \\t]*(-\\w,[ \\t]*)?--segment\\b");
    private static final Pattern CONTAINERS = Pattern.compile("(?m)^[ \\t]*(-\\w,[ \\t]*)?--container-image\\b");

    /// From what the commands print.
    ///
    /// @param version of `sbatch --version`
    static SlurmFeatures of(String version, String sbatchHelp, String srunHelp, boolean accounting) {
        return new SlurmFeatures(VERSION.matcher(version).results().map(found -> found.group()).findFirst().orElse(""),
                SEGMENT.matcher(sbatchHelp).find(), CONTAINERS.matcher(srunHelp).find(), accounting);
    }
}
