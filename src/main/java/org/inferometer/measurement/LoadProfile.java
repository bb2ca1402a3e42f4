package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The load of a cell as its runs recorded it: the measured requests of all its runs together. A missing value is absent, never 0.
///
/// @param runs runs with measured requests
/// @param seconds sum of the windows; absent without a token
/// @param askedPromptTokens lengths of the sent prompts; absent if a request lacks it
/// @param promptTokens lengths of the sent prompts as the target counts them
/// @param askedOutputTokens of the requests that were sent; absent for imported runs
/// @param outputTokens of the requests that were sent, whatever their end
/// @param sharedPrefixShare tokens of the workload's shared prefix / prompt tokens; absent if the record does not tell what prompts share
/// @param prefixHitRate mean over runs; absent without a prefix cache in the process
public record LoadProfile(int runs, @Nullable Double seconds, Ends ends, @Nullable Lengths askedPromptTokens,
        @Nullable Lengths promptTokens, @Nullable Lengths askedOutputTokens, @Nullable Lengths outputTokens,
        Arrivals arrivals, @Nullable Double sharedPrefixShare, @Nullable Double prefixHitRate) {
    /// Bins of a histogram.
    public static final int BINS = 10;

    /// How the requests ended.
    ///
    /// @param gaveUp requests whose users went away, as drawn
    /// @param cancelled by the client, such as those at the end of a stopped run
    /// @param notSent later turns of a session that ended early
    /// @param shortAnswers ok requests with fewer output tokens than asked; these are among the ok ones
    /// @param reasons of failed, timed-out, refused and cancelled requests, with their counts
    public record Ends(long requests, long ok, long failed, long timedOut, long refused, long gaveUp, long cancelled,
            long notSent, long shortAnswers, Map<String, Long> reasons) {}

    /// Lengths in tokens.
    ///
    /// @param histogram counts in [#BINS] bins of equal width from min to max; a single bin if all are equal
    public record Lengths(int n, long total, int min, double p50, double mean, double p95, int max,
            List<Integer> histogram) {
        static @Nullable Lengths of(RequestColumns requests, IntUnaryOperator tokens) {
            if (requests.isEmpty()) {
                return null;
            }
            int[] lengths = IntStream.range(0, requests.size()).map(tokens).toArray();
            int min = Arrays.stream(lengths).min().orElseThrow();
            int max = Arrays.stream(lengths).max().orElseThrow();
            Integer[] histogram = new Integer[min == max ? 1 : BINS];
            Arrays.fill(histogram, 0);
            for (int length : lengths) {
                int bin = min == max ? 0 : (int) ((length - min) * (long) BINS / (max - min));
                histogram[Math.min(bin, BINS - 1)]++;
            }
            Distribution all =
                    Distribution.takingNanos(Arrays.stream(lengths).asLongStream().toArray(), lengths.length);
            return new Lengths(lengths.length, Arrays.stream(lengths).asLongStream().sum(), min, all.percentile(50),
                    all.mean(), all.percentile(95), max, List.of(histogram));
        }
    }

    /// Sending times. Gaps are those between consecutive sendings of one run.
    ///
    /// @param requestsPerSecond 1 / mean gap
    /// @param gapVariation sample standard deviation of the gaps / mean gap
    /// @param mostInFlight largest number of requests sent and not ended in any run; absent if sending times are not recorded
    public record Arrivals(int gaps, @Nullable Double requestsPerSecond, @Nullable Double gapP50Millis,
            @Nullable Double gapP95Millis, @Nullable Double gapVariation, @Nullable Integer mostInFlight) {}

    /// The profile of the runs of one cell.
    ///
    /// @param load the workload that this program drew; empty for imported runs
    public static LoadProfile of(List<RunObservations> runs, Optional<WorkloadSpec> load) {
        List<RequestColumns> measured =
                runs.stream().map(run -> run.requests().measured()).filter(requests -> !requests.isEmpty()).toList();
        RequestColumns all = RequestColumns.joined(measured);
        RequestColumns sent = all.where(i -> !neverSent(all, i));
        boolean askedKnown = sent.count(i -> sent.askedPromptTokens(i) == 0) == 0;
        OptionalDouble seconds = measured.stream().map(RunWindow::of).flatMap(Optional::stream)
                .mapToDouble(RunWindow::seconds).reduce(Double::sum);
        Lengths asked = askedKnown ? Lengths.of(sent, sent::askedPromptTokens) : null;
        // A failed request of an imported file may have no count.
        RequestColumns counted = sent.where(i -> sent.ok(i) || sent.promptTokens(i) > 0);
        Lengths received = Lengths.of(counted, counted::promptTokens);
        return new LoadProfile(measured.size(), orNull(seconds), ends(all), asked, received,
                load.isEmpty() ? null : Lengths.of(sent, sent::askedOutputTokens), Lengths.of(sent, sent::outputTokens),
                arrivals(measured), load.map(spec -> sharedShare(spec, asked == null ? received : asked)).orElse(null),
                hitRate(runs));
    }

    private static boolean neverSent(RequestColumns all, int i) {
        return (all.status(i) == RequestStatus.CANCELLED || all.status(i) == RequestStatus.GAVE_UP)
                && all.sentNanos(i) == RequestOutcome.ABSENT && all.outputTokens(i) == 0;
    }

    private static Ends ends(RequestColumns all) {
        long[] counts = new long[RequestStatus.values().length];
        long notSent = 0;
        long shortAnswers = 0;
        List<RequestOutcome> failed = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            shortAnswers += all.ok(i) && all.outputTokens(i) < all.askedOutputTokens(i) ? 1 : 0;
            if (neverSent(all, i)) {
                notSent++;
            } else {
                counts[all.status(i).ordinal()]++;
                if (!all.ok(i) && all.status(i) != RequestStatus.GAVE_UP) {
                    failed.add(all.get(i));
                }
            }
        }
        return new Ends(all.size(), counts[RequestStatus.OK.ordinal()], counts[RequestStatus.FAILED.ordinal()],
                counts[RequestStatus.TIMED_OUT.ordinal()], counts[RequestStatus.REFUSED.ordinal()],
                counts[RequestStatus.GAVE_UP.ordinal()], counts[RequestStatus.CANCELLED.ordinal()], notSent,
                shortAnswers, FailureReasons.of(failed).counts());
    }

    private static Arrivals arrivals(List<RequestColumns> runs) {
        long[] gaps = new long[Math.toIntExact(runs.stream().mapToLong(List::size).sum())];
        int n = 0;
        int most = 0;
        boolean known = false;
        for (RequestColumns run : runs) {
            RequestColumns sent = run.where(i -> run.sentNanos(i) != RequestOutcome.ABSENT);
            long[] sendings = sent.longs(sent::sentNanos).sorted().toArray();
            long[] ends = sent.longs(sent::endNanos).sorted().toArray();
            int ended = 0;
            for (int i = 0; i < sendings.length; i++) {
                while (ends[ended] <= sendings[i] && ended < i) {
                    ended++;
                }
                most = Math.max(most, i + 1 - ended);
                if (i > 0) {
                    gaps[n++] = sendings[i] - sendings[i - 1];
                }
            }
            known |= sendings.length > 0;
        }
        double mean = Arrays.stream(gaps, 0, n).average().orElse(0);
        double squares = Arrays.stream(gaps, 0, n).mapToDouble(gap -> (gap - mean) * (gap - mean)).sum();
        Distribution all = Distribution.takingNanos(gaps, n);
        boolean spread = mean > 0;
        return new Arrivals(n, spread ? 1e9 / mean : null, n > 0 ? all.percentile(50) / 1e6 : null,
                n > 0 ? all.percentile(95) / 1e6 : null, spread && n > 1 ? Math.sqrt(squares / (n - 1)) / mean : null,
                known ? most : null);
    }

    /// What prompts of files, traces and sessions share is not recorded. Other prompts are drawn independently after the prefix.
    private static @Nullable Double sharedShare(WorkloadSpec load, @Nullable Lengths prompts) {
        boolean drawn = load.promptFile() == null && load.refinements().trace() == null
                && load.refinements().sessions() == null;
        return drawn && prompts != null && prompts.total() > 0
                ? (double) load.sharedPrefixTokens() * prompts.n() / prompts.total() : null;
    }

    private static @Nullable Double hitRate(List<RunObservations> runs) {
        return orNull(runs.stream().flatMap(run -> {
            RequestColumns measured = run.requests().measured();
            return RunWindow.of(measured).stream()
                    .flatMap(window -> PreemptionFigures.of(run, measured, window).stream());
        }).filter(figure -> figure.metric().equals(Metrics.PREFIX_HIT_RATE)).mapToDouble(Figure::value).average());
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
