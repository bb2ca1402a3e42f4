package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.experiment.KnownOptions.Owner;
import org.inferometer.options.Selection;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {
    /// `threads` belongs to the host, `streams` to parallel, `seed` to both.
    private static final KnownOptions KNOWN = (owner, name) -> switch (owner) {
        case SCHEDULER -> name.equals("parallel") ? List.of("streams", "seed") : List.of();
        case BACKEND -> name.equals("host") ? List.of("threads", "seed") : List.of("graphs");
        case TARGET -> List.of("timeout");
    };
    private static final ExperimentSpec BASE = ExperimentSpec.STANDARD.withEngines(List.of("tiny-int4"));

    @Test
    void workloadFieldNamesEachCellByItsValue() {
        ExperimentSpec swept = Sweep.parse("prompt_tokens=64, lognormal(100,0.7,4..512)").over(BASE, KNOWN);
        WorkloadSpec load = BASE.workloads().getFirst();
        assertThat(swept.workloads()).isEqualTo(List.of(
                load.withLengths(LengthDistribution.parse("64"), load.outputTokens())
                        .withName("short-prompt_tokens=64"),
                load.withLengths(LengthDistribution.parse("lognormal(100,0.7,4..512)"), load.outputTokens())
                        .withName("short-prompt_tokens=lognormal(100,0.7,4..512)")));
    }

    @Test
    void sweepsMakeAProduct() {
        SpecOptions read = SpecOptions.over(BASE, Map.of("--sweep",
                List.of("concurrency=1,2", "max_batch_size=4,8", "threads=1,2"), "--kv-memory", List.of("64MiB")),
                KNOWN);
        assertThat(read.faults()).isEmpty();
        assertThat(read.spec().cellCount()).isEqualTo(8);
        assertThat(read.spec().cells()).extracting(Cell::label).containsExactly(
                "tiny-int4 · continuous · host:threads=1 · max_batch_size=4,kv_memory=64MiB · short-c1",
                "tiny-int4 · continuous · host:threads=1 · max_batch_size=4,kv_memory=64MiB · short-c2",
                "tiny-int4 · continuous · host:threads=1 · max_batch_size=8,kv_memory=64MiB · short-c1",
                "tiny-int4 · continuous · host:threads=1 · max_batch_size=8,kv_memory=64MiB · short-c2",
                "tiny-int4 · continuous · host:threads=2 · max_batch_size=4,kv_memory=64MiB · short-c1",
                "tiny-int4 · continuous · host:threads=2 · max_batch_size=4,kv_memory=64MiB · short-c2",
                "tiny-int4 · continuous · host:threads=2 · max_batch_size=8,kv_memory=64MiB · short-c1",
                "tiny-int4 · continuous · host:threads=2 · max_batch_size=8,kv_memory=64MiB · short-c2");
    }

    @Test
    void onlySelectionsWithTheOptionAreSwept() {
        ExperimentSpec two = ExperimentFields.SCHEDULERS.with(BASE,
                List.of(Selection.of("naive"), Selection.parse("parallel:streams=9")));
        assertThat(Sweep.parse("streams=2,4").over(two, KNOWN).schedulers()).containsExactly(Selection.of("naive"),
                Selection.parse("parallel:streams=2"), Selection.parse("parallel:streams=4"));
    }

    @Test
    void aSweptServerIsFoundByItsName() {
        ExperimentSpec served = ExperimentFields.TARGETS.with(BASE,
                List.of(Selection.parse("http:url=http://127.0.0.1:8000,name=vllm")));
        assertThat(
                Sweep.parse("target.timeout=1").over(served, KnownOptions.NONE).withBaseline("vllm").baselineSystem())
                .contains("vllm timeout=1");
        assertThat(Sweep.parse("target.timeout=1,2").over(served, KnownOptions.NONE).systemsNamed("vllm"))
                .containsExactly("vllm timeout=1", "vllm timeout=2");
    }

    @Test
    void sweptTargetsHaveTheirValueInTheirName() {
        ExperimentSpec served = BASE.onTargetsOnly(List.of(Selection.parse("http:url=http://a")));
        assertThat(Sweep.parse("target.timeout=1s,2s").over(served, KnownOptions.NONE).targets()).containsExactly(
                Selection.parse("http:url=http://a,timeout=1s,name=http timeout=1s"),
                Selection.parse("http:url=http://a,timeout=2s,name=http timeout=2s"));
    }

    @Test
    void optionOfTwoOwnersNeedsItsOwner() {
        ExperimentSpec both = ExperimentFields.SCHEDULERS.with(BASE, List.of(Selection.of("parallel")));
        assertThatThrownBy(() -> Sweep.parse("seed=1,2").over(both, KNOWN)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seed is an option of more than one part. Write scheduler.seed or backend.seed.");
        assertThat(Sweep.parse("backend.seed=1,2").over(both, KNOWN).backends())
                .containsExactly(Selection.parse("host:seed=1"), Selection.parse("host:seed=2"));
    }

    @Test
    void ownersAreFoundByTheirWord() {
        assertThat(Owner.values()).extracting(Owner::word).containsExactly("scheduler", "backend", "target");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            prompt_tokens                | Write a field and its values, as in prompt_tokens=64,256,1024.
            =1,2                         | Write a field and its values
            max_batch_size=1,,2          | A value of max_batch_size is empty
            max_batch_size=1,1           | 1 is given twice. Keep one.
            max_batch_size=0,1           | "0" is not a whole number from 1 to 65536.
            prompt_tokens=many           | many
            treads=1,2                   | Unknown field of a sweep "treads". Did you mean threads?
            name=a,b                     | Unknown field of a sweep "name".
            target.timeout=1,2           | The experiment has no target for target.timeout.
            rate=2,1                     | does not rise at 1
            """)
    void faultOfASweepIsOneSentence(String text, String sentence) {
        assertThatThrownBy(() -> Sweep.parse(text).over(BASE, KNOWN)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void sweepsThatMakeManyOptionsAreAFault() {
        List<Sweep> sweeps = IntStream.range(0, 1000).mapToObj(i -> Sweep.parse("backend.option" + i + "=1")).toList();
        assertThatThrownBy(() -> Sweep.product(sweeps, BASE, KnownOptions.NONE)).hasMessage("The sweeps make more than "
                + "500000 options of schedulers, backends and targets. Give fewer sweeps or options.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            concurrency=1,2     | rate=1,2            | Give only one of concurrency, rate
            prompt_tokens=1,2   | prompt_tokens=3     | prompt_tokens is swept twice.
            """)
    void twoSweepsOfTheSameAreAFault(String first, String second, String sentence) {
        assertThat(SpecOptions.over(BASE, Map.of("--sweep", List.of(first, second))).faults())
                .extracting(PlanFault::sentence).singleElement().asString().contains(sentence);
    }

    @Test
    void sweptAnswersAreReproduced() {
        SpecOptions read = SpecOptions.over(BASE.onTargetsOnly(List.of(Selection.of("http"))),
                Map.of("--sweep", List.of("temperature=1", "n=1,4")));
        assertThat(read.faults()).isEmpty();
        assertThat(read.spec().workloads()).extracting(load -> load.refinements().answers()).containsExactly(1, 4);
        assertThat(RunCommandLine.of(read.spec()))
                .hasValueSatisfying(command -> assertThat(command).contains("--sweep temperature=1", "--sweep n=1,4"));
        assertThat(SpecOptions.over(BASE, Map.of("--sweep", List.of("n=129"))).faults()).extracting(PlanFault::sentence)
                .singleElement().asString().contains("129");
    }

    @Test
    void hugeProductIsRefusedBeforeItIsMade() {
        String many = IntStream.rangeClosed(1, 200).mapToObj(String::valueOf).collect(Collectors.joining(","));
        List<String> sweeps = List.of("prompt_tokens=" + many, "output_tokens=" + many, "shared_prefix=" + many,
                "prefix_groups=" + many, "max_batch_size=" + many);
        for (ExperimentSpec base : List.of(BASE, ExperimentSpec.STANDARD)) {
            assertThat(SpecOptions.over(base, Map.of("--sweep", sweeps)).faults()).extracting(PlanFault::sentence)
                    .containsExactly("More than 100000 cells. Give fewer sweeps or values.");
        }
    }

    @Test
    void optionAndItsSweepAreAFault() {
        assertThat(SpecOptions
                .over(BASE, Map.of("--sweep", List.of("prompt_tokens=1,2"), "--prompt-tokens", List.of("8"))).faults())
                .containsExactly(
                        new PlanFault("--prompt-tokens", "Give either --prompt-tokens or a sweep of it, not both."));
    }

    @Test
    void loadHasOneWayToArrive() {
        assertThat(SpecOptions
                .over(BASE, Map.of("--sweep", List.of("rate=1,2", "prompt_tokens=8"), "--concurrency", List.of("4")))
                .faults())
                .containsExactly(new PlanFault("--sweep",
                        "Give only one of --concurrency, --sweep: a load has one way to arrive."));
        assertThat(SpecOptions
                .over(BASE, Map.of("--sweep", List.of("prompt_tokens=8,16"), "--concurrency", List.of("4"))).faults())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--sweep prompt_tokens=64,256",
            "--output-tokens 8 --sweep prompt_tokens=64,256 --sweep max_batch_size=1,4",
            "--prompt-tokens 512 --output-tokens 'lognormal(100.0,0.7,4..512)'",
            "--sweep temperature=0,0.5 --sweep output_tokens=8,16"})
    void sweptExperimentHasACommand(String options) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        String[] words = options.replace("'", "").split(" ");
        for (int i = 0; i < words.length; i += 2) {
            given.computeIfAbsent(words[i], option -> new ArrayList<>()).add(words[i + 1]);
        }
        SpecOptions read = SpecOptions.over(BASE, given);
        assertThat(read.faults()).isEmpty();
        // A command is given only if it reads back as the same experiment.
        assertThat(RunCommandLine.of(read.spec())).isPresent();
    }
}
