package org.inferometer.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.inferometer.record.Phase;
import org.inferometer.record.RunStatus;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.jspecify.annotations.Nullable;

/// One line of a worker's standard output: the live picture of a run. The record is written by the worker itself.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "frame")
@JsonSubTypes({@JsonSubTypes.Type(value = WorkerFrame.PhaseStarted.class, name = "phase"),
        @JsonSubTypes.Type(value = WorkerFrame.Live.class, name = "live"),
        @JsonSubTypes.Type(value = WorkerFrame.Log.class, name = "log"),
        @JsonSubTypes.Type(value = WorkerFrame.Finished.class, name = "finished")})
public sealed interface WorkerFrame {
    /// A phase began.
    ///
    /// @param nanos since the run's anchor
    record PhaseStarted(@JsonProperty("phase") Phase phase, @JsonProperty("nanos") long nanos) implements WorkerFrame {}

    /// The picture now, at most ten times a second.
    ///
    /// @param nanos since the run's anchor
    /// @param phaseDone requests of this phase that ended
    /// @param phaseTotal requests of this phase; 0 where they go on until its time is up
    /// @param phaseShare how much of this phase is done, 0 to 1
    /// @param outputTokens output tokens of this phase so far
    /// @param promptTokens prompt tokens of this phase whose request has had its first token
    /// @param running requests admitted now; those in flight where the target does not tell
    /// @param waiting requests waiting now; -1 where the target does not tell
    /// @param ownerBytes memory by owner, by [org.inferometer.record.MemoryOwner#ordinal()]
    /// @param totalBytes memory in all
    /// @param processCpuNanos CPU time of the worker so far
    /// @param ttftBins TTFT counts of this phase by [LatencyBins], cumulative
    /// @param itlBins inter-token gap counts of this phase by [LatencyBins], cumulative
    /// @param lateNanos worst lateness of a send since the frame before; -1 if nothing was sent
    /// @param gpu the latest readings; absent without a GPU
    record Live(@JsonProperty("nanos") long nanos, @JsonProperty("phase") Phase phase,
            @JsonProperty("phaseDone") int phaseDone, @JsonProperty("phaseTotal") int phaseTotal,
            @JsonProperty("phaseShare") double phaseShare, @JsonProperty("outputTokens") long outputTokens,
            @JsonProperty("promptTokens") long promptTokens, @JsonProperty("running") int running,
            @JsonProperty("waiting") int waiting, @JsonProperty("ownerBytes") long[] ownerBytes,
            @JsonProperty("totalBytes") long totalBytes, @JsonProperty("processCpuNanos") long processCpuNanos,
            @JsonProperty("ttftBins") long[] ttftBins, @JsonProperty("itlBins") long[] itlBins,
            @JsonProperty("lateNanos") long lateNanos, @JsonProperty("gpu") @Nullable Gpu gpu) implements WorkerFrame {
        /// A frame without lateness and GPU.
        public Live(long nanos, Phase phase, int phaseDone, int phaseTotal, double phaseShare, long outputTokens,
                long promptTokens, int running, int waiting, long[] ownerBytes, long totalBytes, long processCpuNanos,
                long[] ttftBins, long[] itlBins) {
            this(nanos, phase, phaseDone, phaseTotal, phaseShare, outputTokens, promptTokens, running, waiting,
                    ownerBytes, totalBytes, processCpuNanos, ttftBins, itlBins, -1, null);
        }

        /// The same with the worse of two latenesses.
        public Live lateAtLeast(long otherNanos) {
            return otherNanos <= lateNanos ? this
                    : new Live(nanos, phase, phaseDone, phaseTotal, phaseShare, outputTokens, promptTokens, running,
                            waiting, ownerBytes, totalBytes, processCpuNanos, ttftBins, itlBins, otherNanos, gpu);
        }
    }

    /// Readings of the GPU; those that are not read are absent.
    record Gpu(@JsonProperty("utilisationPercent") @Nullable Double utilisationPercent,
            @JsonProperty("memoryUtilisationPercent") @Nullable Double memoryUtilisationPercent,
            @JsonProperty("powerWatts") @Nullable Double powerWatts,
            @JsonProperty("smClockMegahertz") @Nullable Double smClockMegahertz) {
        /// The readings of a sample.
        public static Gpu of(GpuSample sample) {
            return new Gpu(read(sample.utilisationPercent()), read(sample.memoryUtilisationPercent()),
                    read(sample.powerWatts()), read(sample.smClockMegahertz()));
        }

        private static @Nullable Double read(double value) {
            return Double.isNaN(value) ? null : value;
        }
    }

    /// A line for the log.
    ///
    /// @param level "info", "progress" for what people wait for, "warning" or "error"
    record Log(@JsonProperty("level") String level, @JsonProperty("message") String message) implements WorkerFrame {}

    /// The run ended and its record is complete.
    ///
    /// @param failure one sentence where the status is FAILED, else empty
    record Finished(@JsonProperty("status") RunStatus status,
            @JsonProperty("failure") String failure) implements WorkerFrame {}
}
