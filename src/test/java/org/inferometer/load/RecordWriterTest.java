package org.inferometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.junit.jupiter.api.Test;

class RecordWriterTest {
    @Test
    void everythingAcceptedIsWrittenInOrderBeforeItCloses() {
        Events sink = new Events(Integer.MAX_VALUE);
        RecordWriter writer = new RecordWriter(sink, () -> {});
        for (int i = 0; i < 1000; i++) {
            writer.accept(new RunEvent.TargetMessage(i, ""));
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
                writer.accept(new RunEvent.TargetMessage(i, ""));
            }
            told.await();
            assertThat(writer.failure())
                    .isEqualTo("The record cannot be written (No space left on device). Earlier entries are kept. "
                            + "Free disk space or choose another folder with --out.");
        }
        assertThat(sink.nanos).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aFaultOfTheProgramEndsTheRunAsAFullDiskDoes() throws InterruptedException {
        for (Runnable fault : List.<Runnable>of(() -> {
            throw new IllegalStateException("made up");
        }, () -> {
            throw new OutOfMemoryError("made up");
        })) {
            Events sink = new Events(Integer.MAX_VALUE) {
                @Override
                public void event(RunEvent event) throws IOException {
                    if (event instanceof RunEvent.EngineFailed) {
                        fault.run();
                    }
                    super.event(event);
                }
            };
            CountDownLatch told = new CountDownLatch(1);
            try (RecordWriter writer = new RecordWriter(sink, told::countDown)) {
                writer.accept(new RunEvent.TargetMessage(1, ""));
                writer.accept(new RunEvent.EngineFailed(1, ""));
                assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
                writer.accept(new RunEvent.TargetMessage(2, ""));
                assertThat(writer.failure()).matches("The record is incomplete because of an internal error: "
                        + "java\\.lang\\.(IllegalStateException|OutOfMemoryError): made up\\. Earlier entries are kept\\.");
            }
            assertThat(sink.nanos).containsExactly(1L);
        }
    }

    @Test
    void aDiskThatStandsStillNeitherBlocksNorFillsTheMemory() throws InterruptedException {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        Events sink = new Events(Integer.MAX_VALUE) {
            @Override
            public void event(RunEvent event) throws IOException {
                stuck.countDown();
                try {
                    free.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                super.event(event);
            }
        };
        AtomicInteger told = new AtomicInteger();
        RecordWriter writer = new RecordWriter(sink, told::incrementAndGet);
        RunEvent event = new RunEvent.TargetMessage(1, "");
        writer.accept(event);
        stuck.await();
        for (int i = 0; i < RecordWriter.MOST_WAITING + 1000; i++) {
            writer.accept(event);
        }
        assertThat(told).hasValue(1);
        assertThat(writer.failure())
                .startsWith("The disk is slower than the run: 262144 entries are not written yet. Earlier entries");
        free.countDown();
        writer.close();
        assertThat(sink.nanos).hasSize(RecordWriter.MOST_WAITING);
    }

    /// Takes events until the disk is full.
    private static class Events implements RecordSink {
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
