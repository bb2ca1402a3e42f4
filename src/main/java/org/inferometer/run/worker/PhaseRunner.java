package org.inferometer.run.worker;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.inferometer.load.LiveCounters;
import org.inferometer.load.LoadGenerator;
import org.inferometer.load.PhaseListeners;
import org.inferometer.load.RecordWriter;
import org.inferometer.load.RequestRecorder;
import org.inferometer.load.RequestTexts;
import org.inferometer.load.RunPhase;
import org.inferometer.record.Phase;
import org.inferometer.record.RunEvent;
import org.inferometer.serving.EngineListener;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.target.TargetListener;
import org.inferometer.units.Clock;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.jspecify.annotations.Nullable;

/// Runs the phases of a run in order on the calling thread; each is drained before the next starts.
final class PhaseRunner {
    private final RecordWriter writer;
    private final LiveFrames live;
    private final Clock clock;
    private final AtomicBoolean cancelled;
    private final PhaseListeners recorders;
    private final Consumer<String> onFailure;
    private final @Nullable RequestTexts texts;

    /// @param texts takes prompts and answers; absent if they are not kept
    PhaseRunner(RecordWriter writer, LiveFrames live, Clock clock, AtomicBoolean cancelled, Consumer<String> onFailure,
            @Nullable RequestTexts texts) {
        this.onFailure = onFailure;
        this.texts = texts;
        this.writer = writer;
        this.live = live;
        this.clock = clock;
        this.cancelled = cancelled;
        LiveCounters counters = new LiveCounters();
        RunPhase empty = new RunPhase(Phase.LOAD, List.of(), new ArrivalProcess.ClosedLoop(1));
        this.recorders = new PhaseListeners(writer, new RequestRecorder(empty, counters, writer::accept), counters,
                new LoadGenerator(clock, cancelled), onFailure);
    }

    RequestListener requests() {
        return recorders;
    }

    EngineListener engine() {
        return recorders;
    }

    TargetListener target() {
        return recorders;
    }

    /// Runs one phase; in a cancelled run it returns at once.
    ///
    /// @param requests those of the phase, in order
    void run(RunPhase phase, Iterator<Request> requests, Target target) {
        if (phase.requests().isEmpty() || cancelled.getAcquire()) {
            return;
        }
        LiveCounters counters = new LiveCounters();
        RequestRecorder recorder = new RequestRecorder(phase, counters, writer::accept, texts);
        LoadGenerator generator = new LoadGenerator(clock, cancelled);
        recorders.enter(recorder, counters, generator);
        writer.accept(new RunEvent.PhaseStarted(clock.nanos(), phase.phase(), phase.total(), phase.durationNanos()));
        phase.notes().forEach(note -> writer.accept(new RunEvent.Note(clock.nanos(), phase.phase(), note)));
        live.enter(phase, counters);
        generator.run(phase, requests, target, recorder);
        if (!generator.failure().isEmpty()) {
            onFailure.accept(generator.failure());
        }
    }
}
