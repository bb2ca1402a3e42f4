package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class BackgroundWorkTest {
    private final List<Object> heard = new ArrayList<>();
    private final BackgroundWork work = new InlineUi().work();

    @Test
    void aResultIsHeardOnce() {
        work.run(WindowWork.OWN, () -> 42, heard::add, heard::add);
        assertThat(heard).containsExactly(42);
    }

    @Test
    void aFailureIsHeardInstead() {
        IOException failure = new IOException("disk full");
        work.run(WindowWork.OWN, () -> {
            throw failure;
        }, heard::add, heard::add);
        assertThat(heard).containsExactly(failure);
        assertThat(ErrorText.sentence(failure)).isEqualTo("disk full");
        assertThat(ErrorText.sentence(new IllegalStateException())).contains("IllegalStateException");
    }

    @Test
    void whatIsAskedAfterTheEndIsLeftUndone() {
        ExecutorService threads = BackgroundWork.daemonThreads();
        threads.shutdown();
        new BackgroundWork(threads, new InlineUi()).run(WindowWork.OWN, () -> 42, heard::add, heard::add);
        assertThat(heard).isEmpty();
    }
}
