package org.inferometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.record.Phase;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RunEvent;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.ArrivalProcess;
import org.junit.jupiter.api.Test;

class PhaseListenersTest {
    @Test
    void unusableTargetEndsTheRunAndIsRecorded() {
        List<Object> written = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        RecordSink sink = (RecordSink) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{RecordSink.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("event")) {
                        written.add(arguments[0]);
                    }
                    return null;
                });
        try (RecordWriter writer = new RecordWriter(sink, () -> {})) {
            LiveCounters counters = new LiveCounters();
            RunPhase phase = new RunPhase(Phase.MEASURE, List.of(), new ArrivalProcess.ClosedLoop(1));
            new PhaseListeners(writer, new RequestRecorder(phase, counters, writer::accept), counters,
                    new LoadGenerator(new SystemClock(), new AtomicBoolean()), failures::add).unusable(7, "No key.");
        }
        assertThat(failures).containsExactly("No key.");
        assertThat(written).containsExactly(new RunEvent.TargetMessage(7, "No key."));
    }
}
