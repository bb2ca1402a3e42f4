package org.inferometer.suite.slurm;

import org.inferometer.units.LetterCase;

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

    /// The states of a job, as `squeue`, `sacct` and `scontrol` name them.
    public enum JobState {
        BOOT_FAIL("BF", true), CANCELLED("CA", true), COMPLETED("CD", true), CONFIGURING("CF", false),
        /// Its processes are being ended.
        COMPLETING("CG", false), DEADLINE("DL", true), FAILED("F", true), NODE_FAIL("NF", true),
        OUT_OF_MEMORY("OOM", true), PENDING("PD", false),
        /// A job that Slurm queues again is shown as pending instead.
        PREEMPTED("PR", true), RUNNING("R", false), RESV_DEL_HOLD("RD", false), REQUEUE_FED("RF", false),
        REQUEUE_HOLD("RH", false), REQUEUED("RQ", false), RESIZING("RS", false), REVOKED("RV", true),
        SIGNALING("SI", false), SPECIAL_EXIT("SE", false), STAGE_OUT("SO", false), STOPPED("ST", false),
        SUSPENDED("S", false), TIMEOUT("TO", true),
        /// A word that this version does not know. It is no end.
        UNKNOWN("", false);

        private final String code;
        private final boolean end;

        JobState(String code, boolean end) {
            this.code = code;
            this.end = end;
        }

        /// The state of a word in its long or short form, in any case. "CANCELLED by 0" and "CANCELLED+" are cancelled.
        public static JobState of(String text) {
            String word = LetterCase.upper(text.strip().split("[ +]", 2)[0]);
            for (JobState state : values()) {
                if (state != UNKNOWN && (state.name().equals(word) || state.code.equals(word))) {
                    return state;
                }
            }
            return UNKNOWN;
        }

        /// Whether the job waits for its nodes.
        public boolean isPending() {
            return switch (this) {
                case PENDING, CONFIGURING, REQUEUED, REQUEUE_HOLD, REQUEUE_FED, RESV_DEL_HOLD, SPECIAL_EXIT -> true;
                case BOOT_FAIL, CANCELLED, COMPLETED, COMPLETING, DEADLINE, FAILED, NODE_FAIL, OUT_OF_MEMORY, PREEMPTED,
                        RUNNING, RESIZING, REVOKED, SIGNALING, STAGE_OUT, STOPPED, SUSPENDED, TIMEOUT, UNKNOWN ->
                    false;
            };
        }

        /// Whether the job has ended for good.
        public boolean isEnd() {
            return end;
        }
    }
}
