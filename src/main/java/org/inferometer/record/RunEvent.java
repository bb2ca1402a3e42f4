package org.inferometer.record;

/// Something that happened in a run, for `events.csv`.
///
/// @param nanos since the run's anchor
/// @param kind one of the constants, or another word
/// @param subject the phase, or the request's number
/// @param detail what more there is to say
public record RunEvent(long nanos, String kind, String subject, String detail) {
    /// A phase of the run began; the subject is its label.
    public static final String PHASE = "phase";
    /// Something people should know of a phase; the subject is its label.
    public static final String NOTE = "note";
    /// A request was let in: `lane=0 cached=32`, the positions that needed no computing.
    public static final String ADMITTED = "admitted";
    /// A preempted request was let in again; as [#ADMITTED].
    public static final String READMITTED = "readmitted";
    /// A running request lost its blocks; the detail is the number of positions it lost.
    public static final String PREEMPTED = "preempted";
    /// A request's keys and values were copied: `from=0 to=1 positions=64 bytes=65536 nanos=20000`; the instant is the copy's end.
    public static final String MOVED = "moved";
    /// A gauge that the target itself keeps: the subject is its name, the detail the reading.
    public static final String GAUGE = "gauge";
    /// What the target had to say, in the detail.
    public static final String SAID = "said";
    /// The engine could not go on; the detail says why.
    public static final String ENGINE_FAILED = "engine_failed";
}
