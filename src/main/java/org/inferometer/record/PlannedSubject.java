package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Subject;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.jspecify.annotations.Nullable;

/// The subject of one run, with all choices resolved.
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(PlannedSubject.PlannedEngine.class),
        @JsonSubTypes.Type(PlannedSubject.PlannedTarget.class)})
public sealed interface PlannedSubject {
    /// An engine in the worker process.
    ///
    /// @param engine the engine's name
    /// @param engineFolder the folder that is opened; in share-safe records its last name
    /// @param kvBytes KV memory of all pools together
    /// @param asked the limits that the experiment asked for; the defaults where a record has none
    /// @param layout the lanes, and how `kvBytes` is split among their pools
    record PlannedEngine(@JsonProperty("engine") String engine, @JsonProperty("engineFolder") String engineFolder,
            @JsonProperty("scheduler") Selection scheduler, @JsonProperty("backend") Selection backend,
            @JsonProperty("kvBytes") long kvBytes, @JsonProperty("limits") Limits limits,
            @JsonProperty("asked") EngineLimits asked,
            @JsonProperty("layout") LaneLayout layout) implements PlannedSubject {
        public PlannedEngine(String engine, String engineFolder, Selection scheduler, Selection backend, long kvBytes,
                Limits limits, @Nullable EngineLimits asked, LaneLayout layout) {
            this.engine = engine;
            this.engineFolder = engineFolder;
            this.scheduler = scheduler;
            this.backend = backend;
            this.kvBytes = kvBytes;
            this.limits = limits;
            this.asked = asked == null ? EngineLimits.DEFAULTS : asked;
            this.layout = layout;
        }

        @Override
        public Subject.EngineSubject subject() {
            return new Subject.EngineSubject(engine, scheduler, backend, asked);
        }

        /// The same engine in another folder.
        public PlannedEngine in(String folder) {
            return new PlannedEngine(engine, folder, scheduler, backend, kvBytes, limits, asked, layout);
        }
    }

    /// A target, which resolves everything by itself.
    record PlannedTarget(@JsonProperty("target") Selection target) implements PlannedSubject {
        @Override
        public Subject.TargetSubject subject() {
            return new Subject.TargetSubject(target);
        }
    }

    /// The specified subject.
    Subject subject();
}
