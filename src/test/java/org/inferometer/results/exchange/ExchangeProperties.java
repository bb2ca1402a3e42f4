package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.inferometer.measurement.RunFigures;
import org.inferometer.measurement.definitions.DefinedFigure;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.measurement.definitions.Redefinition;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.Seed;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;

class ExchangeProperties {
    private Path folder = Path.of("");

    @BeforeProperty
    void make() throws IOException {
        folder = Files.createTempDirectory("exchange");
    }

    @AfterProperty
    void delete() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /// Requests as a server gives them: the first is sent at 0, chunks hold one token or several.
    private static List<RequestOutcome> drawn(long seed, int requests) {
        RandomGenerator random = new Seed(seed).generator();
        List<RequestOutcome> drawn = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            long intended = i == 0 ? 0 : random.nextLong(60_000_000_000L);
            long sent = intended + (i == 0 ? 0 : random.nextLong(2_000_000));
            boolean ok = random.nextInt(6) > 0;
            long[] chunks = new long[ok ? random.nextInt(1, 9) : 0];
            long at = sent;
            for (int t = 0; t < chunks.length; t++) {
                at += random.nextLong(90_000_000);
                chunks[t] = at;
            }
            int output = chunks.length == 2 ? 2 : chunks.length + (ok ? random.nextInt(3) : 0);
            drawn.add(new RequestOutcome(new RequestId(i), false, random.nextInt(1, 4000), output, intended, sent,
                    RequestOutcome.ABSENT, RequestOutcome.ABSENT, at, ok ? RequestStatus.OK : RequestStatus.FAILED,
                    ok ? "" : "it broke \"badly\"", chunks, output, TokenSource.SERVER_USAGE));
        }
        return drawn;
    }

    private static void assertSame(RequestOutcome before, RequestOutcome after, boolean withIntended, long within) {
        assertThat(after.promptTokens()).isEqualTo(before.promptTokens());
        assertThat(after.outputTokens()).isEqualTo(before.outputTokens());
        assertThat(after.ok()).isEqualTo(before.ok());
        assertThat(after.reason()).isEqualTo(before.reason());
        assertThat(Math.abs(after.sentNanos() - before.sentNanos())).isLessThanOrEqualTo(within);
        assertThat(after.eventNanos().length).isEqualTo(before.eventNanos().length);
        for (int i = 0; i < before.eventNanos().length; i++) {
            assertThat(Math.abs(after.eventNanos()[i] - before.eventNanos()[i])).isLessThanOrEqualTo(within);
        }
        if (withIntended) {
            assertThat(Math.abs(after.intendedNanos() - before.intendedNanos())).isLessThanOrEqualTo(within);
        }
    }

    @Property(tries = 60)
    void vllmsFileBringsEveryInstantBackToTheNanosecond(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 20) int requests) throws IOException {
        List<RequestOutcome> before = drawn(seed, requests);
        List<RequestOutcome> after = RoundTrip.of(folder, "vllm", before);
        for (int i = 0; i < requests; i++) {
            assertSame(before.get(i), after.get(i), true, 0);
        }
    }

    private static Map<String, Double> values(List<Figure> figures) {
        return figures.stream().collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
    }

    @Property(tries = 60)
    void sglangsArraysBringTheLatenciesBack(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int requests)
            throws IOException {
        List<RequestOutcome> before = drawn(seed, requests);
        Assume.that(
                before.stream().noneMatch(RequestOutcome::endsOnly) && before.stream().anyMatch(RequestOutcome::ok));
        Path file = folder.resolve("sglang.jsonl");
        Files.writeString(file, Exporter.of(RoundTrip.run(before), "sglang"));
        Map<String, Double> after = values(SglangFormat.FORMAT.read(ForeignFile.read(file)).getFirst().figures());
        Map<String, Double> ours = values(RunFigures.of(RoundTrip.observed(before)));
        for (String id : List.of("service_ttft_mean", "service_ttft_p99", "service_e2e_p50", "service_e2e_p95",
                "tpot_mean", "requests_ok", "requests_failed")) {
            assertThat(after.containsKey(id)).as(id).isEqualTo(ours.containsKey(id));
            if (ours.containsKey(id)) {
                assertThat(after.get(id)).as(id).isCloseTo(ours.get(id), within(2.0));
            }
        }
        assertThat(after.get("window")).isCloseTo(
                Redefinition.of(before, LoadKind.UNKNOWN, Definition.SGLANG, null).stream()
                        .filter(figure -> figure.metric().id().equals("window")).findFirst().orElseThrow().theirs(),
                within(2.0));
    }

    @Property(tries = 60)
    void trtllmBenchsReportGivesItsFiguresBack(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int requests)
            throws IOException {
        List<RequestOutcome> ok = drawn(seed, requests).stream()
                .filter(request -> request.ok() && request.lastTokenNanos() > request.sentNanos()).toList();
        Assume.that(!ok.isEmpty());
        Path file = folder.resolve("trtllm.json");
        Files.writeString(file, Exporter.of(RoundTrip.run(ok), "trtllm-bench"));
        Map<String, Double> after = values(TrtllmBenchFormat.FORMAT.read(ForeignFile.read(file)).getFirst().figures());
        Map<String, Double> theirs = Redefinition.of(ok, LoadKind.UNKNOWN, Definition.TRTLLM_BENCH, null).stream()
                .filter(figure -> figure.theirs() != null)
                .collect(Collectors.toMap(figure -> figure.metric().id(), DefinedFigure::theirs));
        Map.of("window", "window", "request_throughput", "request_throughput", "output_throughput", "output_throughput",
                "total_throughput", "total_throughput", "service_ttft_mean", "ttft_mean")
                .forEach((mine, of) -> assertThat(after.get(mine)).as(mine).isCloseTo(theirs.get(of),
                        withinPercentage(1e-9)));
    }

    @Property(tries = 60)
    void aiperfsRecordsBringEveryInstantBackToTheNanosecond(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 20) int requests) throws IOException {
        List<RequestOutcome> before = drawn(seed, requests);
        List<RequestOutcome> after = RoundTrip.of(folder, "aiperf", before);
        for (int i = 0; i < requests; i++) {
            assertSame(before.get(i), after.get(i), false, 0);
        }
    }

    /// Seconds of the wall clock as a floating point number resolve a quarter of a microsecond.
    @Property(tries = 60)
    void guideLlmsFileBringsTheOutermostInstantsBackToTheMicrosecond(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 20) int requests) throws IOException {
        List<RequestOutcome> ok = drawn(seed, requests).stream().filter(RequestOutcome::ok)
                .filter(request -> request.lastTokenNanos() - request.firstTokenNanos() > 1000).toList();
        if (ok.isEmpty()) {
            return;
        }
        long anchor = ok.stream().mapToLong(RequestOutcome::intendedNanos).min().orElseThrow();
        List<RequestOutcome> after = RoundTrip.of(folder, "guidellm", ok);
        for (int i = 0; i < ok.size(); i++) {
            RequestOutcome before = ok.get(i);
            assertThat(after.get(i).outputTokens()).isEqualTo(before.outputTokens());
            assertThat(Math.abs(after.get(i).intendedNanos() - (before.intendedNanos() - anchor))).isLessThan(1000);
            assertThat(Math.abs(after.get(i).firstTokenNanos() - (before.firstTokenNanos() - anchor))).isLessThan(1000);
            assertThat(Math.abs(after.get(i).lastTokenNanos() - (before.lastTokenNanos() - anchor))).isLessThan(1000);
        }
    }

    /// Whatever bytes are changed, cut or doubled: a file is read, or refused with one sentence.
    @Property(tries = 1500)
    void damagedFilesAreReadOrRefused(@ForAll long seed) throws IOException {
        RandomGenerator random = new Seed(seed).generator();
        List<Map.Entry<String, String>> samples = List.copyOf(ForeignSamples.all().entrySet());
        Map.Entry<String, String> sample = samples.get(random.nextInt(samples.size()));
        byte[] bytes = sample.getValue().getBytes(StandardCharsets.UTF_8);
        for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                case 2 -> bytes[at] = (byte) "0123456789-.eE,:[]{}\"n".charAt(random.nextInt(22));
                default -> {
                    byte[] doubled = Arrays.copyOf(bytes, bytes.length + (bytes.length - at));
                    System.arraycopy(bytes, at, doubled, bytes.length, bytes.length - at);
                    bytes = doubled;
                }
            }
        }
        Path file = folder.resolve("damaged-" + sample.getKey());
        Files.write(file, bytes);
        try {
            ForeignFile foreign = ForeignFile.read(file);
            for (ForeignFormat format : Importer.known()) {
                if (format.fits(foreign)) {
                    List<ForeignRun> runs = format.read(foreign);
                    assertThat(runs).isNotEmpty();
                    ForeignMatrix.of("x", runs);
                }
            }
        } catch (ResultFormatException refused) {
            assertThat(Optional.ofNullable(refused.getMessage()))
                    .hasValueSatisfying(message -> assertThat(message).doesNotContain("\n").hasSizeLessThan(700));
        }
    }
}
