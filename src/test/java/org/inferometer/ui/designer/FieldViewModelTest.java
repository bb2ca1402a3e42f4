package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Test;

class FieldViewModelTest {
    private final WorkloadViewModel load = new WorkloadViewModel(new WorkloadPresets().all());
    private final FieldViewModel<List<Integer>> requests = load.requests();
    private final FieldViewModel<LoadSweep> rate = load.strength(Measure.RATE);
    private final FieldViewModel<LoadSweep> inFlight = load.strength(Measure.CONCURRENCY);

    @Test
    void countsTakeThousandsAndEchoTheirValue() {
        requests.text().set("1.5k");
        assertThat(requests.value()).contains(List.of(1500));
        assertThat(requests.echo().get()).isEqualTo("1500 measured requests");
        assertThat(requests.text().get()).isEqualTo("1.5k");
        requests.text().set("25, 50");
        assertThat(requests.echo().get()).isEqualTo("2 loads: 25, 50 measured requests");
    }

    @Test
    void faultShowsOnCheckAndGoesWhenRight() {
        requests.text().set("many");
        assertThat(requests.error().get()).isEmpty();
        assertThat(requests.check()).isFalse();
        assertThat(requests.error().get()).isEqualTo("\"many\" is not a whole number from 1 to 10000000.");
        requests.text().set("7");
        assertThat(requests.error().get()).isEmpty();
    }

    @Test
    void rangesOfTheTableAreChecked() {
        FieldViewModel<?> runs = FieldViewModel.of(ExperimentFields.RUNS, ExperimentSpec.STANDARD);
        assertThat(runs.echo().get()).isEqualTo("3 runs of each cell");
        runs.text().set("0");
        assertThat(runs.check()).isFalse();
        assertThat(runs.error().get()).isEqualTo("\"0\" is not a whole number from 1 to 1000.");
    }

    @Test
    void timesTakeUnits() {
        FieldViewModel<List<Integer>> period =
                FieldViewModel.of(ExperimentFields.SAMPLE_EVERY, ExperimentSpec.STANDARD);
        period.text().set("250ms");
        assertThat(period.value()).contains(List.of(250));
        period.text().set("0.5s");
        assertThat(period.value()).contains(List.of(500));
        period.text().set("2s");
        assertThat(period.value()).isEmpty();
    }

    @Test
    void onlyFieldsWithoutDefaultMayBeEmpty() {
        FieldViewModel<List<Double>> price = FieldViewModel.of(ExperimentFields.PRICE, ExperimentSpec.STANDARD);
        assertThat(price.text().get()).isEmpty();
        assertThat(price.value()).contains(List.of());
        FieldViewModel<List<Long>> seed = FieldViewModel.of(ExperimentFields.SEED, ExperimentSpec.STANDARD);
        seed.text().set("");
        assertThat(seed.value()).isEmpty();
    }

    @Test
    void fieldsSayWhatAnEmptyTextStandsFor() {
        List<String> empty = new ArrayList<>();
        Stream.concat(
                Stream.of(ExperimentFields.FORM, ExperimentFields.FORM_LIMITS).flatMap(List::stream)
                        .map(field -> FieldViewModel.of(field, ExperimentSpec.STANDARD)),
                Stream.concat(Stream.of(requests), new WorkloadDetails().fields().stream()))
                .filter(field -> field.text().get().isEmpty() || field == requests)
                .forEach(field -> empty.add(field.naming().label() + ": " + field.naming().empty()));
        assertThat(empty).containsExactly("Until: none", "Most runs: 30", "SLO: none", "Price per hour: none",
                "KV memory: what the workload can use",
                "Requests in a step: the engine's, else what the workload can use",
                "Positions in a step: what the workload needs",
                "Positions of a request: the engine's, else what the workload can reach",
                "Requests: until the load ends", "Duration: no limit", "Stop after failures: no limit",
                "Shared prefix: 0", "Vary prompts: false", "Temperature: 0", "Top k: no limit", "Top p: no limit",
                "Ignore eos: true", "Answers: 1");
    }

    @Test
    void ratesTakeDecimals() {
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
    void severalLoadsRiseAndARangeIsAGrid() {
        assertThat(inFlight.echo().get()).isEqualTo("8 requests in flight");
        inFlight.text().set("1, 2,4");
        assertThat(inFlight.value()).contains(LoadSweep.parse("concurrency=1,2,4"));
        assertThat(inFlight.echo().get()).isEqualTo("3 loads: 1, 2, 4 requests in flight");
        inFlight.text().set("1..64");
        assertThat(inFlight.value()).contains(LoadSweep.grid("concurrency=1..64"));
        inFlight.text().set("4, 2");
        assertThat(inFlight.check()).isFalse();
        assertThat(inFlight.error().get()).contains("does not rise at 2");
        for (String fault : List.of("", "none", "0", "64..1", "1..", "1,,2", "200000")) {
            inFlight.text().set(fault);
            assertThat(inFlight.check()).as(fault).isFalse();
            assertThat(inFlight.error().get()).as(fault).isNotEmpty();
        }
    }

    @Test
    void lengthsAreReadAsTheCommandLineWritesThem() {
        FieldViewModel<LengthDistribution> lengths = load.promptTokens();
        lengths.text().set("1..20");
        assertThat(lengths.value()).contains(new LengthDistribution.UniformLength(1, 20));
        assertThat(lengths.echo().get()).isEqualTo("1 to 20 tokens, equally often");
    }
}
