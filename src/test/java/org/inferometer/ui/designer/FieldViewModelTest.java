package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.workload.LengthDistribution;
import org.junit.jupiter.api.Test;

class FieldViewModelTest {
    @Test
    void countsTakeThousandsAndSayWhatTheyUnderstood() {
        FieldViewModel<Integer> requests = NumberFields.count("field.requests", 32, 1, 10_000);
        requests.text().set("1.5k");
        assertThat(requests.value()).contains(1500);
        assertThat(requests.echo().get()).isEqualTo("1500 measured requests a run");
        assertThat(requests.text().get()).isEqualTo("1.5k");
    }

    @Test
    void aFaultShowsWhenTheFieldIsLeftAndGoesWhenItIsMended() {
        FieldViewModel<Integer> requests = NumberFields.count("field.requests", 32, 1, 10_000);
        requests.text().set("many");
        assertThat(requests.error().get()).isEmpty();
        assertThat(requests.check()).isFalse();
        assertThat(requests.error().get()).contains("\"many\" is not a count");
        requests.text().set("7");
        assertThat(requests.error().get()).isEmpty();
    }

    @Test
    void rangesAreKept() {
        FieldViewModel<Integer> runs = NumberFields.count("field.runs", 1, 1, 1000);
        runs.text().set("0");
        assertThat(runs.check()).isFalse();
        assertThat(runs.error().get()).isEqualTo("Between 1 and 1000.");
    }

    @Test
    void durationsTakeUnits() {
        FieldViewModel<Integer> period = NumberFields.millis("field.sample-every", 100, 10, 1000);
        period.text().set("250ms");
        assertThat(period.value()).contains(250);
        period.text().set("0.5s");
        assertThat(period.value()).contains(500);
        period.text().set("2s");
        assertThat(period.value()).isEmpty();
    }

    @Test
    void ratesTakeDecimals() {
        FieldViewModel<LoadSweep> rate = LoadFields.rate("field.rate", 4);
        rate.text().set("0.5");
        assertThat(rate.value()).contains(new LoadSweep(LoadSweep.Measure.RATE, List.of(0.5)));
        rate.text().set("1.5k");
        assertThat(rate.value()).contains(new LoadSweep(LoadSweep.Measure.RATE, List.of(1500.0)));
        rate.text().set("NaN");
        assertThat(rate.value()).isEmpty();
        rate.text().set("1e400");
        assertThat(rate.value()).isEmpty();
    }

    @Test
    void loadsThatNoRangeCanSayAreWrittenOneByOne() {
        FieldViewModel<LoadSweep> rate = LoadFields.rate("field.rate", 4);
        for (String loads : List.of("0.3333333, 0.6666667, 1", "1, 2, 200000")) {
            rate.text().set(loads);
            assertThat(LoadFields.written(rate.value().orElseThrow())).isEqualTo(loads);
        }
    }

    @Test
    void severalLoadsRiseAndARangeIsAGrid() {
        FieldViewModel<LoadSweep> inFlight = LoadFields.concurrency("field.concurrency", 8);
        assertThat(inFlight.echo().get()).isEqualTo("8 requests in flight");
        inFlight.text().set("1, 2,4");
        assertThat(inFlight.value()).contains(LoadSweep.parse("concurrency=1,2,4"));
        assertThat(inFlight.echo().get()).isEqualTo("3 loads: 1, 2, 4 in flight");
        inFlight.text().set("1..64");
        assertThat(inFlight.value()).contains(LoadSweep.grid("concurrency=1..64"));
        assertThat(LoadFields.written(inFlight.value().orElseThrow())).isEqualTo("1..64");
        inFlight.text().set("4, 2");
        assertThat(inFlight.check()).isFalse();
        assertThat(inFlight.error().get()).isEqualTo("The loads must rise, and 2 does not.");
        for (String fault : List.of("", "none", "0", "64..1", "1..", "1,,2", "200000")) {
            inFlight.text().set(fault);
            assertThat(inFlight.check()).as(fault).isFalse();
            assertThat(inFlight.error().get()).as(fault).isNotEmpty();
        }
    }

    @Test
    void lengthsAreReadAsTheCommandLineWritesThem() {
        FieldViewModel<LengthDistribution> lengths =
                NumberFields.lengths("field.prompt-tokens", new LengthDistribution.Fixed(64));
        lengths.text().set("1..20");
        assertThat(lengths.value()).contains(new LengthDistribution.Uniform(1, 20));
        assertThat(lengths.echo().get()).isEqualTo("1 to 20 tokens, equally often");
    }
}
