package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MailboxTest {
    private static final int SENDERS = 4;
    private static final int EACH = 20_000;

    private record Letter(int sender, int number) {}

    @Test
    void everyLetterOfEverySenderArrivesOnceAndInOrder() throws Exception {
        Mailbox<Letter> mailbox = new Mailbox<>();
        List<Thread> senders = IntStream.range(0, SENDERS)
                .mapToObj(sender -> new Thread(
                        () -> IntStream.range(0, EACH).forEach(number -> mailbox.post(new Letter(sender, number)))))
                .toList();
        senders.forEach(Thread::start);
        List<Letter> taken = new ArrayList<>();
        while (taken.size() < SENDERS * EACH) {
            mailbox.await(Long.MAX_VALUE);
            mailbox.take(taken::add);
        }
        for (int sender = 0; sender < SENDERS; sender++) {
            int of = sender;
            assertThat(taken.stream().filter(letter -> letter.sender() == of).map(Letter::number))
                    .containsExactlyElementsOf(IntStream.range(0, EACH).boxed().toList());
        }
        for (Thread sender : senders) {
            sender.join();
        }
    }

    @Test
    void aClosedMailboxHandsOverItsLastLettersAndTakesNoMore() {
        Mailbox<String> mailbox = new Mailbox<>();
        List<String> taken = new ArrayList<>();
        assertThat(mailbox.post("a")).isTrue();
        assertThat(mailbox.post("b")).isTrue();

        mailbox.close(taken::add);

        assertThat(mailbox.post("c")).isFalse();
        mailbox.take(taken::add);
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void aTakerThatSleepsIsWokenByALetter() throws Exception {
        Mailbox<String> mailbox = new Mailbox<>();
        List<String> taken = new ArrayList<>();
        Thread taker = new Thread(() -> {
            while (taken.isEmpty()) {
                mailbox.await(Long.MAX_VALUE);
                mailbox.take(taken::add);
            }
        });
        taker.start();
        while (taker.getState() != Thread.State.WAITING && taker.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        mailbox.post("wake");
        taker.join();

        assertThat(taken).containsExactly("wake");
    }
}
