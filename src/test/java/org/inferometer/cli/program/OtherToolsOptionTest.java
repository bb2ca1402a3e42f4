package org.inferometer.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.cli.CliFixture;
import org.inferometer.cli.CliFixture.Outcome;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.SpecOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OtherToolsOptionTest {
    private static final String SEE = "See: inferometer run --help\n";
    private final CliFixture cli;

    OtherToolsOptionTest(@TempDir Path folder) {
        cli = new CliFixture(folder);
    }

    @Test
    void everyNameOfOtherToolsLeadsToOneSentence() {
        assertThat(names()).hasSizeGreaterThan(100).doesNotHaveDuplicates();
        Outcome outcome = cli
                .run(Stream.concat(Stream.of("run", "quick"), names().map(name -> name + "=1")).toArray(String[]::new));
        List<String> lines = outcome.err().lines().toList();
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(lines).hasSize((int) names().count() + 1).last().isEqualTo(SEE.strip());
        assertThat(lines.subList(0, lines.size() - 1)).allMatch(line -> line.matches("error: -\\S+ .+, as in --.+\\."));
    }

    @Test
    void everyExampleIsAnOptionWithAValueThatItTakes() {
        String trace = cli.write("t.jsonl", "{}");
        CommandLine commands = cli.cli(new ByteArrayOutputStream(), new ByteArrayOutputStream()).commands();
        for (OtherToolsOption each : OtherToolsOption.all()) {
            String[] words = ("run " + each.example().replace("FILE", trace)).split(" ");
            assertThat(commands.parseArgs(words).subcommand().unmatched()).as(each.example()).isEmpty();
            Map<String, List<String>> given = Map.of(words[1], IntStream.range(1, words.length / 2 + 1)
                    .mapToObj(at -> words.length > 2 * at ? words[2 * at] : "").toList());
            assertThat(SpecOptions.over(ExperimentSpec.STANDARD, given).faults()).as(each.example()).isEmpty();
        }
    }

    @Test
    void unknownOptionPrintsOneSuggestion() {
        assertThat(cli.run("run", "--sizes", "25,50", "quick")).isEqualTo(
                new Outcome(2, "", "error: --sizes is --requests here, as in --requests 25,50,100.\n" + SEE));
        assertThat(cli.run("run", "quick", "--device=cpu", "--num_prompts", "5", "--request", "3"))
                .isEqualTo(new Outcome(2, "", """
                error: --device is --backend here, host for the CPU and cuda for a GPU, as in --backend host.
                error: --num_prompts is --requests here, as in --requests 100.
                error: Unknown option "--request". Did you mean --requests?
                """ + SEE));
        assertThat(cli.run("run", "quick", "--zzz", "3"))
                .isEqualTo(new Outcome(2, "", "error: Unknown option \"--zzz\".\n" + SEE));
        assertThat(cli.run("run", "quick", "two"))
                .isEqualTo(new Outcome(2, "", "error: Unexpected argument \"two\". " + COMMAS + "\n" + SEE));
    }

    @Test
    void listsDividedByBlanksLeadToCommas() {
        assertThat(cli.run("run", "--engine", "tiny-int4", "--scheduler", "naive", "dynamic").err())
                .startsWith("error: Unknown preset \"dynamic\". " + COMMAS + " Valid: quick");
        assertThat(cli.run("run", "--engine", "tiny-int4", "--requests", "25", "50", "100").err())
                .isEqualTo("error: Unexpected argument \"100\". " + COMMAS + "\n" + SEE);
    }

    private static final String COMMAS = "Lists have commas, as in --scheduler naive,dynamic.";

    @Test
    void commandsWithoutTheOptionDoNotOfferIt() {
        assertThat(cli.run("devices", "--num-prompts", "5").err())
                .isEqualTo("error: Unknown option \"--num-prompts\".\nSee: inferometer devices --help\n");
        assertThat(cli.run("--isl", "5").err()).startsWith(
                "error: --isl is --prompt-tokens here, as in --prompt-tokens 512. Start with inferometer run.\n");
    }

    @Test
    void addressAsATargetLeadsToTheHttpTarget() {
        assertThat(cli.run("run", "quick", "--target", "http://127.0.0.1:9").err()).startsWith(
                "error: --target: \"http://127.0.0.1:9\" is an address. Write http:url=http://127.0.0.1:9.\n");
    }

    @Test
    void workspaceIsReadBeforeAndAfterTheCommand() {
        String none = "No results in lab/results. Make one with \"inferometer run quick\".\n";
        assertThat(Stream
                .of("--workspace lab results list", "results --workspace lab list", "results list --workspace=lab")
                .map(line -> cli.run(line.split(" ")).out())).isEqualTo(List.of(none, none, none));
        assertThat(cli.run("devices", "--plugin", "a.jar").err()).startsWith(
                "error: Unknown option \"--plugin\". Write it before the command: inferometer --plugin …\n");
    }

    private static Stream<String> names() {
        return OtherToolsOption.all().stream().flatMap(each -> each.names().stream());
    }
}
