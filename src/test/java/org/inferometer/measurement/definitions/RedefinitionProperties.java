package org.inferometer.measurement.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TokenSource;
import org.inferometer.units.Seed;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;

class RedefinitionProperties {
    private static List<RequestOutcome> drawn(long seed, int requests) {
        RandomGenerator random = new Seed(seed).generator();
        List<RequestOutcome> drawn = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            long intended = random.nextLong(1_000_000_000L);
            long sent = intended + random.nextLong(50_000_000);
            long[] tokens = new long[random.nextInt(6)];
            long at = sent;
            for (int t = 0; t < tokens.length; t++) {
                at += random.nextInt(3) == 0 && t > 0 ? 0 : random.nextLong(1, 40_000_000);
                tokens[t] = at;
            }
            RequestStatus status = random.nextInt(5) == 0 ? RequestStatus.FAILED : RequestStatus.OK;
            drawn.add(new RequestOutcome(new RequestId(i), random.nextInt(8) == 0, random.nextInt(1, 99), 6, intended,
                    sent, RequestOutcome.ABSENT, RequestOutcome.ABSENT, at + random.nextLong(9_000_000), status, "",
                    tokens, tokens.length == 0 && random.nextBoolean() ? 4 : tokens.length, TokenSource.ENGINE));
        }
        return drawn;
    }

    @Property(tries = 200)
    void ourOwnDefinitionGivesTheFiguresOfTheRecord(@ForAll long seed, @ForAll @IntRange(max = 40) int requests) {
        List<RequestOutcome> drawn = drawn(seed, requests);
        Map<String, Double> figures =
                RunFigures.of(new RunObservations(drawn, List.of(), List.of(), new RunObservations.Setup(1, 8, 2, 100)))
                        .stream().collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
        for (DefinedFigure defined : Redefinition.of(drawn, LoadKind.UNKNOWN, Definition.INFEROMETER, null)) {
            assertThat(defined.moves()).isEmpty();
            assertThat(defined.theirs()).isEqualTo(defined.ours());
            if (!defined.metric().id().endsWith("_std")) {
                double expected = figures.get(defined.metric().id());
                assertThat(defined.here().orElseThrow()).as(defined.metric().id()).isCloseTo(expected,
                        within(1e-9 * Math.abs(expected)));
            }
        }
    }

    @Property(tries = 200)
    void movesLeadFromOurValueToTheirs(@ForAll long seed, @ForAll @IntRange(max = 40) int requests,
            @ForAll Definition definition) {
        for (DefinedFigure figure : Redefinition.of(drawn(seed, requests), LoadKind.UNKNOWN, definition, null)) {
            Double at = figure.ours();
            for (DefinedFigure.Move move : figure.moves()) {
                assertThat(move.before()).isEqualTo(at);
                at = move.after();
            }
            assertThat(Objects.equals(at, figure.theirs())).as(figure.toString()).isTrue();
        }
    }
}
