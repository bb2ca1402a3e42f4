package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EnginesCommandsTest {
    private final CliFixture cli = new CliFixture();

    @Test
    void theListSaysStateSizeAndThatWeightsAreSynthetic() {
        assertThat(cli.run("engines", "list")).isEqualTo(new CliFixture.Outcome(0, """
                NAME       MODEL  PRECISION  PARAMETERS  STATE          SIZE  ORIGIN
                tiny-fp8   tiny   fp8            1.31 M  not built  1.28 MiB  synthetic weights (seed 42)
                tiny-int4  tiny   int4           1.31 M  built       679 KiB  synthetic weights (seed 42)
                torn-fp8   -      -                   -  damaged           -  weights.safetensors is missing.

                The size of an engine that is not built is what "inferometer engines build NAME" will write.
                """, ""));
    }

    @Test
    void whatIsNotKnownOfADamagedEngineIsNullInJson() {
        JsonNode engines = new JsonMapper().readTree(cli.run("engines", "list", "--json").out());
        assertThat(engines.get(2)).isEqualTo(new JsonMapper().readTree("""
                {"name": "torn-fp8", "model": null, "precision": null, "parameters": null, "state": "damaged", "weightBytes": null,
                 "origin": null, "problem": "weights.safetensors is missing."}"""));
    }

    @Test
    void needsAreSaidBeforeBuildingAndWhatWasWrittenAfter() {
        assertThat(cli.run("engines", "build", "tiny-fp8", "tiny-int4")).isEqualTo(new CliFixture.Outcome(0, """
                built tiny-fp8: 1.18 M parameters, 1.00 MiB, synthetic weights (seed 42), in engines/tiny-fp8
                tiny-int4 is built already; --rebuild builds it again.
                """, """
                BUILDING      DISK  TO RUN IT                                          WEIGHTS
                tiny-fp8  1.28 MiB  1.28 MiB and 2.00 KiB of KV cache a token in FP32  synthetic weights (seed 42)
                building tiny-fp8
                """));
        assertThat(cli.engines.built).containsExactly("tiny-fp8");
    }

    @Test
    void rebuildBuildsWhatIsBuiltAlready() {
        cli.run("engines", "build", "--rebuild", "tiny-fp8", "tiny-int4");
        assertThat(cli.engines.built).containsExactly("tiny-fp8", "tiny-int4");
    }

    @Test
    void allUnknownNamesAreSaidBeforeAnythingIsBuilt() {
        assertThat(cli.run("engines", "build", "tiny-fp9", "tiny-fp8", "x")).isEqualTo(new CliFixture.Outcome(2, "", """
                error: engines: Unknown engine "tiny-fp9". Did you mean tiny-fp8? Valid: tiny-fp8, tiny-int4, torn-fp8.
                error: engines: Unknown engine "x". Valid: tiny-fp8, tiny-int4, torn-fp8.
                """));
        assertThat(cli.engines.built).isEmpty();
    }

    @Test
    void anEngineWithoutRecipeCannotBeBuilt() {
        assertThat(cli.run("engines", "build", "torn-fp8")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: torn-fp8 has no usable recipe. weights.safetensors is missing.\n"));
    }

    @Test
    void aBuildThatFailsExitsWithThree() {
        Thread.currentThread().interrupt();
        CliFixture.Outcome outcome = cli.run("engines", "build", "tiny-fp8");
        assertThat(Thread.interrupted()).isFalse();
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err())
                .endsWith(
                        "error: engines/tiny-fp8: The build was interrupted; nothing is left of it. Build it again.\n")
                .doesNotContain("\tat ");
    }

    @Test
    void inspectionShowsLayerZeroForAllUnlessAllAreAsked() {
        String brief = cli.run("engines", "inspect", "tiny-int4").out();
        assertThat(brief).startsWith("""
                engine        tiny-int4 (built)
                weights from  synthetic weights (seed 42)
                shape         llama, 2 layers, hidden 256, feed-forward 512, heads 4/2 of 64, vocabulary 512, at most 1024
                              positions, output head tied to the embedding
                """);
        assertThat(brief).contains("layers.0.attn.q.weight ").doesNotContain("layers.1.")
                .endsWith("and 23 tensors of layers 1 to 1, like those of layer 0; --all shows them.\n");
        assertThat(cli.run("engines", "inspect", "tiny-int4", "--all").out()).contains("layers.1.attn.q.weight ")
                .doesNotContain("--all");
    }

    @Test
    void aDamagedEngineMakesVerifyExitWithOne() {
        assertThat(cli.run("engines", "verify", "tiny-int4", "tiny-fp8", "torn-fp8"))
                .isEqualTo(new CliFixture.Outcome(1, """
                ENGINE     STATE
                tiny-int4  intact   4.00 KiB read, SHA-256 as built: ab12
                tiny-fp8   damaged  SHA-256 is ffff, built was ab12. Build it again with "inferometer engines build --rebuild
                                    tiny-fp8".
                torn-fp8   damaged  engines/torn-fp8: weights.safetensors is missing. Build the engine again.
                """, ""));
        assertThat(cli.run("engines", "verify", "tiny-int4").exit()).isZero();
    }

    @Test
    void enginesAloneSaysWhatCanBeDone() {
        assertThat(cli.run("engines")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: Say what to do: engines list, build, inspect, verify.\nSee: inferometer engines --help\n"));
    }
}
