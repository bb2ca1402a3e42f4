package org.inferometer.suite.slurm;

import org.inferometer.units.LetterCase;

/// The states of a job, as `squeue`, `sacct` and `scontrol` name them.
public enum JobState {
    BOOT_FAIL("BF", true), CANCELLED("CA", true), COMPLETED("CD", true), CONFIGURING("CF", false),
    /// Its processes are being ended.
    COMPLETING("CG", false), DEADLINE("DL", true), FAILED("F", true), NODE_FAIL("NF", true), OUT_OF_MEMORY("OOM", true),
    PENDING("PD", false),
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

    /// Whether the job has ended for good.
    public boolean isEnd() {
        return end;
    }
}
