package org.inferometer.remote;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.inferometer.experiment.PlanFault;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.run.WorkerFrame;

/// One line from the machine that runs an experiment.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({@JsonSubTypes.Type(value = RemoteEvent.Hello.class, name = "hello"),
        @JsonSubTypes.Type(value = RemoteEvent.Looked.class, name = "looked"),
        @JsonSubTypes.Type(value = RemoteEvent.Refused.class, name = "refused"),
        @JsonSubTypes.Type(value = RemoteEvent.Building.class, name = "building"),
        @JsonSubTypes.Type(value = RemoteEvent.Started.class, name = "started"),
        @JsonSubTypes.Type(value = RemoteEvent.RunStarted.class, name = "run"),
        @JsonSubTypes.Type(value = RemoteEvent.Frame.class, name = "frame"),
        @JsonSubTypes.Type(value = RemoteEvent.Ended.class, name = "ended"),
        @JsonSubTypes.Type(value = RemoteEvent.Bundle.class, name = "bundle"),
        @JsonSubTypes.Type(value = RemoteEvent.Failed.class, name = "failed")})
public sealed interface RemoteEvent {
    /// The first line.
    ///
    /// @param program name and version
    record Hello(@JsonProperty("protocol") int protocol,
            @JsonProperty("program") String program) implements RemoteEvent {}

    /// What the machine has.
    record Looked(@JsonProperty("offer") RemoteMachine offer) implements RemoteEvent {}

    /// The experiment cannot run there.
    record Refused(@JsonProperty("faults") List<PlanFault> faults) implements RemoteEvent {}

    /// An engine is being built.
    record Building(@JsonProperty("engine") String engine,
            @JsonProperty("fraction") double fraction) implements RemoteEvent {}

    /// The experiment is planned.
    record Started(@JsonProperty("manifest") ExperimentManifest manifest) implements RemoteEvent {}

    /// A run begins.
    record RunStarted(@JsonProperty("plan") RunPlan plan) implements RemoteEvent {}

    /// A frame of the run that began last.
    record Frame(@JsonProperty("frame") WorkerFrame frame) implements RemoteEvent {}

    /// The experiment ended; its record is there.
    record Ended(@JsonProperty("manifest") ExperimentManifest manifest) implements RemoteEvent {}

    /// The record follows this line, as a bundle of so many bytes.
    record Bundle(@JsonProperty("bytes") long bytes) implements RemoteEvent {}

    /// The other side cannot go on.
    record Failed(@JsonProperty("sentence") String sentence) implements RemoteEvent {}
}
