package org.inferometer.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.serving.StepReport;
import org.inferometer.telemetry.TelemetrySample;
import org.junit.jupiter.api.Test;

class RecordWriterTest {
    @Test
    void everythingAcceptedIsWrittenInOrderBeforeItCloses() {
        Events sink = new Events(Integer.MAX_VALUE);
        RecordWriter writer = new RecordWriter(sink, () -> {});
        for (int i = 0; i < 1000; i++) {
            writer.accept(new RunEvent(i, "marker", "", ""));
        }
        writer.close();
        assertThat(sink.nanos).hasSize(1000).isSorted();
        assertThat(writer.failure()).isEmpty();
    }

    @Test
    void aFullDiskEndsTheRunInOneSentenceAndKeepsWhatWasWritten() throws InterruptedException {
        Events sink = new Events(3);
        CountDownLatch told = new CountDownLatch(1);
        try (RecordWriter writer = new RecordWriter(sink, told::countDown)) {
            for (int i = 0; i < 10; i++) {
                writer.accept(new RunEvent(i, "marker", "", ""));
            }
            told.await();
            assertThat(writer.failure())
                    .isEqualTo("The record can no longer be written (No space left on device). What was written before is kept; "
                            + "free some disk space or choose another folder with --out.");
        }
        assertThat(sink.nanos).containsExactly(0L, 1L, 2L);
    }

    /// Takes events until the disk is full.
    private static final class Events implements RecordSink {
        private final List<Long> nanos = new ArrayList<>();
        private final int room;

        private Events(int room) {
            this.room = room;
        }

        @Override
        public void request(RequestOutcome request) {}

        @Override
        public void step(StepReport step) {}

        @Override
        public void telemetry(TelemetrySample sample) {}

        @Override
        public void event(RunEvent event) throws IOException {
            if (nanos.size() == room) {
                throw new IOException("No space left on device");
            }
            nanos.add(event.nanos());
        }

        @Override
        public void flush() {}

        @Override
        public void manifest(RunManifest manifest) {}

        @Override
        public void close() {}
    }
}
