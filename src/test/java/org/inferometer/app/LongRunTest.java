package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.target.http.EchoServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A run of 500 requests a second for a long time: neither its process nor its worker gathers objects, files, sockets or threads.
///
/// `-Dinferometer.soakSeconds=7200` runs two hours; figures while it runs: `target/long-run.txt`.
@Tag("endurance")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 9000, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledOnOs(OS.LINUX)
class LongRunTest {
    private static final int SOAK_SECONDS = Integer.getInteger("inferometer.soakSeconds", 0);
    /// The short form is stopped after its last sample, which comes late on a busy machine.
    private static final int SECONDS = SOAK_SECONDS == 0 ? 120 : SOAK_SECONDS;
    private static final int SAMPLES = SOAK_SECONDS == 0 ? 3 : 13;
    private static final double PERIOD_SECONDS = SOAK_SECONDS == 0 ? 3 : 0.75 * SOAK_SECONDS / (SAMPLES - 1);
    private static final double FIRST_SECONDS = SOAK_SECONDS == 0 ? 1 : 0.1 * SOAK_SECONDS;
    private static final int PER_SECOND = 500;
    private static final long TURN_NANOS = 1_000_000;
    /// Beside the connections of requests: gauges, the list of models, the way of the tool that looks at the heap.
    private static final int OTHER_SOCKETS = 8;
    // Of one class: a pause of the machine lets requests wait, each on a connection of its own.
    private static final long OBJECTS_OF_SOCKET = 8;
    private static final long BYTES_OF_SOCKET = 32 << 10;
    private static final Path FIGURES = Path.of("target/long-run.txt");

    @TempDir
    Path workspace;

    private final List<String> output = new ArrayList<>();

    /// What both processes hold, so many seconds after measuring began.
    private record Sample(double seconds, ProcessFootprint parent, ProcessFootprint worker) {}

    @Test
    void nothingGrowsWithTheRequestsOfARun() throws Exception {
        List<Sample> samples = new ArrayList<>();
        try (EchoServer server = EchoServer.start(TURN_NANOS)) {
            List<String> command = EchoedKeyTest.CommandLine.command(workspace,
                    List.of("run", "--target", "http:url=" + server.url(), "--arrivals", "constant:rate=" + PER_SECOND,
                            "--duration", SECONDS + "s", "--prompt-tokens", "8", "--output-tokens", "4", "--runs",
                            "1"));
            Process parent = new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                sample(parent, samples);
                if (SOAK_SECONDS == 0) {
                    parent.destroy();
                }
                assertThat(parent.waitFor(Math.max(60, SECONDS / 2), TimeUnit.SECONDS)).as(said()).isTrue();
            } finally {
                parent.descendants().forEach(ProcessHandle::destroyForcibly);
                parent.destroyForcibly();
            }
        }
        ResultLibrary library = new ResultLibrary(workspace.resolve("results"));
        ExperimentRecord record = library.open(library.list().getFirst().folder());
        List<RequestOutcome> requests = record.runs().getFirst().observations().requests();
        if (SOAK_SECONDS > 0) {
            assertThat(record.manifest().status()).as(said()).isEqualTo(RunStatus.COMPLETE);
            assertThat(requests.stream().filter(request -> !request.warmUp() && request.ok()).count())
                    .isEqualTo((long) PER_SECOND * SECONDS);
        }

        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        assertThat(requests.size()).isGreaterThan((int) (last.seconds - first.seconds) * PER_SECOND / 2);
        int mostSockets = mostInFlight(requests) + OTHER_SOCKETS;
        for (Sample sample : samples) {
            assertThat(sample.worker.sockets()).as("sockets after %.0f s", sample.seconds)
                    .isLessThanOrEqualTo(mostSockets);
        }
        requireNoGrowth("parent", first.parent, last.parent, last.seconds - first.seconds);
        requireNoGrowth("worker", first.worker, last.worker, last.seconds - first.seconds);
    }

    /// Looks at both processes at regular instants, the first time after a tenth of the run.
    private void sample(Process parent, List<Sample> samples) throws Exception {
        CountDownLatch measuring = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> read(parent, measuring));
        assertThat(measuring.await(60, TimeUnit.SECONDS)).as(said()).isTrue();
        long start = System.nanoTime();
        Files.deleteIfExists(FIGURES);
        for (int i = 0; i < SAMPLES; i++) {
            double due = FIRST_SECONDS + i * PERIOD_SECONDS;
            boolean over = parent.waitFor((long) (1e9 * due) - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
            assertThat(over).as(said()).isFalse();
            ProcessHandle worker = parent.children().findFirst().orElseThrow();
            Sample sample = new Sample((System.nanoTime() - start) / 1e9, ProcessFootprint.of(parent.pid()),
                    ProcessFootprint.of(worker.pid()));
            assertThat(said()).doesNotContain("analyse");
            samples.add(sample);
            if (SOAK_SECONDS > 0) {
                Files.writeString(FIGURES, line(sample, samples.getFirst()), StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
        }
    }

    private void read(Process parent, CountDownLatch measuring) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (output) {
                    output.add(line);
                }
                if (line.strip().equals("measure")) {
                    measuring.countDown();
                }
            }
        } catch (IOException e) {
            // Killed; the test says why.
        }
    }

    private String said() {
        synchronized (output) {
            return String.join("\n", output);
        }
    }

    private static String line(Sample sample, Sample first) {
        return String.format(Locale.ROOT, "%6.0f s%n  parent: %s%n  worker: %s%n", sample.seconds,
                text(sample.parent, first.parent), text(sample.worker, first.worker));
    }

    private static String text(ProcessFootprint held, ProcessFootprint first) {
        return String.format(Locale.ROOT,
                "%.1f MiB live, %d MiB resident, %d sockets, %d other descriptors, %d threads; more: %s %s %s",
                held.liveBytes() / 1048576.0, held.residentBytes() >> 20, held.sockets(), sum(held.descriptors()),
                sum(held.threads()), ProcessFootprint.growth(first.descriptors(), held.descriptors(), 0),
                ProcessFootprint.growth(first.threads(), held.threads(), 0),
                ProcessFootprint.growth(first.instances(), held.instances(), 1000));
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /// All memory for requests is taken before they are sent, so that no class gains objects with them.
    private static void requireNoGrowth(String process, ProcessFootprint first, ProcessFootprint last, double seconds) {
        assertThat(last.descriptors()).as("descriptors of the %s", process).isEqualTo(first.descriptors());
        assertThat(last.threads()).as("threads of the %s", process).isEqualTo(first.threads());
        long most = 800 + (long) (seconds * PER_SECOND / 1000) + OBJECTS_OF_SOCKET * last.sockets();
        assertThat(ProcessFootprint.growth(first.instances(), last.instances(), most))
                .as("classes of the %s that grew in %.0f s", process, seconds).isEmpty();
        assertThat(last.liveBytes() - first.liveBytes()).as("live bytes of the %s", process)
                .isLessThan((1 << 20) + (long) (seconds * PER_SECOND) + BYTES_OF_SOCKET * last.sockets());
    }

    private static int mostInFlight(List<RequestOutcome> requests) {
        long[] sent = requests.stream().mapToLong(RequestOutcome::sentNanos).sorted().toArray();
        long[] ended = requests.stream().mapToLong(RequestOutcome::endNanos).sorted().toArray();
        int most = 0;
        int over = 0;
        for (int i = 0; i < sent.length; i++) {
            while (ended[over] < sent[i]) {
                over++;
            }
            most = Math.max(most, i + 1 - over);
        }
        return most;
    }
}
