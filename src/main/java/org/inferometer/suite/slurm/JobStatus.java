package org.inferometer.suite.slurm;

/// A job as Slurm shows it.
///
/// @param id its number
/// @param word the state in Slurm's words; tells an unknown state
/// @param reason why it waits or how it ended; empty if Slurm gives none
/// @param exit "status:signal"; empty if not known
/// @param elapsed since its start, as Slurm writes it ("1-02:03:04"); empty if not known
/// @param nodes "n[1-3]"; empty if it has none
public record JobStatus(String id, JobState state, String word, String reason, String exit, String elapsed,
        String nodes) {
    /// "Job 12 is PENDING (Resources)", "Job 12 is FAILED, exit code 3", "Job 12 is RUNNING on n[1-3]"; no period.
    public String describe() {
        StringBuilder text = new StringBuilder("Job ").append(id).append(" is ")
                .append(state == JobState.UNKNOWN ? "in the unknown state \"" + word + "\"" : state.name());
        if (!reason.isEmpty()) {
            text.append(" (").append(reason).append(')');
        }
        String[] codes = exit.split(":", 2);
        if (state.isEnd() && codes.length == 2) {
            if (!codes[0].equals("0")) {
                text.append(", exit code ").append(codes[0]);
            }
            if (!codes[1].equals("0")) {
                text.append(", signal ").append(codes[1]);
            }
        }
        return nodes.isEmpty() || state.isEnd() ? text.toString() : text.append(" on ").append(nodes).toString();
    }
}
