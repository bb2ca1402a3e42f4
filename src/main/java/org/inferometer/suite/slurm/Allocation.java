package org.inferometer.suite.slurm;

/// The resources that a job requests. Empty texts and zeros leave a value to Slurm.
///
/// @param time limit: "02:00:00", "1-12", minutes
/// @param segmentNodes nodes of a block of the topology (`--segment`)
/// @param extra more options of `sbatch` as on a command line: `--gres=gpu:4 --comment "a b"`. Quotes work as in a shell; nothing is
/// expanded or executed.
public record Allocation(String partition, String account, String time, int nodes, int tasks, int tasksPerNode,
        boolean exclusive, int segmentNodes, String extra) {
    /// Everything is left to Slurm.
    public static final Allocation DEFAULT = new Allocation("", "", "", 0, 0, 0, false, 0, "");

    /// The same with other options.
    public Allocation withExtra(String options) {
        return new Allocation(partition, account, time, nodes, tasks, tasksPerNode, exclusive, segmentNodes, options);
    }
}
