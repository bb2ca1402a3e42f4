package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.DeadlineDistribution;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.Refinements;
import org.inferometer.workload.Sessions;
import org.inferometer.workload.TimeDistribution;
import org.inferometer.workload.TraceReplay;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class WorkloadFieldsTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void everyKeyOfALoadIsRead() throws PlanException {
        assertThat(read("""
                - name: help desk
                  prompt_tokens: 8..64
                  output_tokens: 32
                  vary_prompts: true
                  shared_prefix: 128
                  prefix_groups: 4
                  arrivals: gamma:rate=2,burstiness=0.5
                  duration: 90s
                  turns: 2..6
                  think: lognormal(2s, 0.8)
                  max_context: 2048
                  timeout: 30s
                  cancel_rate: 0.05
                  cancel_after: exponential(500ms)
                  stop_after_failures: 2.5%
                  temperature: 0.7
                  top_k: 40
                  top_p: 0.9
                  ignore_eos: false
                  stop: ["###", "a, b\\n", ' \\\\User:']
                  n: 4
                """)).containsExactly(new WorkloadSpec("help desk", new LengthDistribution.UniformLength(8, 64),
                new LengthDistribution.FixedLength(32), null, 128, new ArrivalProcess.Gamma(2, 0.5), 0, 0.7,
                new Refinements(90 * SECOND, 4,
                        new Sessions(new LengthDistribution.UniformLength(2, 6),
                                new TimeDistribution.LognormalTime(2 * SECOND, 0.8), 2048),
                        new DeadlineDistribution(30 * SECOND, 0.05, new TimeDistribution.ExponentialTime(SECOND / 2)),
                        null, 0.025, 40, 0.9, 4, new EarlyEnd(true, List.of("###", "a, b\n", " \\User:")), true)));
    }

    @Test
    void aTraceIsWrittenAlikeAsNameAndAsKeyWithPathsOfEverySystem() throws PlanException {
        List<WorkloadSpec> read = read("""
                - trace:C:\\traces, old\\conv.csv,speed=4,requests=100,max_prompt=1024
                - trace: C:\\traces, old\\conv.csv,speed=4,requests=100,max_prompt=1024
                - trace: conv.csv
                  arrivals: closed:concurrency=3
                """);
        WorkloadSpec named = read.getFirst();
        assertThat(named.refinements().trace()).isEqualTo(
                new TraceReplay("C:\\traces, old\\conv.csv", TraceReplay.parse("x,max_prompt=1024").options()));
        assertThat(named).extracting(WorkloadSpec::name, WorkloadSpec::arrivals, WorkloadSpec::requests)
                .containsExactly("trace:conv.csv", new ArrivalProcess.Trace(4), 100);
        assertThat(read.get(1)).isEqualTo(named);
        assertThat(read.get(2))
                .isEqualTo(new WorkloadPresets().find("trace:conv.csv").withArrivals(new ArrivalProcess.ClosedLoop(3)));
    }

    @Test
    void aPresetWithSessionsKeepsWhatIsNotWritten() throws PlanException {
        WorkloadSpec chat = new WorkloadPresets().find("chat-sessions");
        Sessions sessions = java.util.Objects.requireNonNull(chat.refinements().sessions());
        assertThat(read("- {preset: chat-sessions, think: 1s, requests: 9}")).containsExactly(
                chat.withRequests(9).withRefinements(chat.refinements().withSessions(new Sessions(sessions.turns(),
                        new TimeDistribution.FixedTime(SECOND), sessions.mostTokens()))));
    }

    @Test
    void whatCannotBeReadIsSaidWithItsLine() {
        assertThatThrownBy(() -> read("""
                - think: 2s
                  duration: 0s
                  cancel_rate: 2
                  cancel_after: soon
                  max_context: -1
                - trace: a.csv,sped=2
                - trace:a.csv,to=3,from=4
                """))
                .isInstanceOfSatisfying(PlanException.class,
                        e -> assertThat(e.faults().stream().map(PlanFault::where)).containsExactly("f.yaml:5",
                                "f.yaml:4", "f.yaml:8", "f.yaml:6", "f.yaml:7", "f.yaml:9", "f.yaml:10"))
                .hasMessageContaining("\"turns\" is missing. Add turns")
                .hasMessageContaining("duration: \"0s\" is not a time")
                .hasMessageContaining("cancel_rate: \"2\" is not a share of requests from 0 to 1.")
                .hasMessageContaining("\"soon\" is not a duration").hasMessageContaining("Did you mean speed?")
                .hasMessageContaining("to=3 is not after from=4");
    }

    @Test
    void loadsThatContradictThemselvesAreFaults() {
        WorkloadPresets presets = new WorkloadPresets();
        assertThat(presets.all()).allMatch(spec -> spec.faults().isEmpty());
        WorkloadSpec chat = presets.find("chat");
        assertThat(chat.withArrivals(new ArrivalProcess.Trace(1)).faults()).containsExactly(
                "The arrivals come from a trace, but there is none. Choose the workload trace:FILE or other arrivals.");
        assertThat(chat.withRefinements(Refinements.NONE.withPrefixGroups(3)).faults()).hasSize(1);
        WorkloadSpec varied = chat.withRefinements(Refinements.NONE.withVaryPrompts(true));
        assertThat(varied.faults()).containsExactly(
                "vary_prompts is for texts of a prompt file or a trace; drawn prompts are new in each run. Leave it out.");
        assertThat(varied.withPromptFile("prompts.txt").faults()).isEmpty();
        assertThat(chat
                .withRefinements(
                        Refinements.NONE.withDeadlines(new DeadlineDistribution(0, 0.5, TimeDistribution.NONE)))
                .faults()).hasSize(1);
        WorkloadSpec sessions = presets.find("chat-sessions").withPromptFile("p.txt");
        assertThat(sessions.withSharedPrefix(5).faults()).hasSize(2);
        assertThat(presets.find("trace:a.csv").withPromptFile("p.txt").faults()).hasSize(1);
    }

    @Test
    void refinedLoadsSurviveTheProtocolAndOlderOnesAreRead() throws PlanException {
        tools.jackson.databind.json.JsonMapper json = tools.jackson.databind.json.JsonMapper.builder().build();
        for (WorkloadSpec spec : List.of(new WorkloadPresets().find("agent-sessions"),
                new WorkloadPresets().find("trace:C:\\a.csv,model=gpt4,speed=0.5"),
                read("- {duration: 1m, timeout: 2s, arrivals: \"ramp:from=1,to=9,seconds=30,gaps=constant\"}")
                        .getFirst())) {
            assertThat(json.readValue(json.writeValueAsString(spec), WorkloadSpec.class)).isEqualTo(spec);
        }
        String old = """
                {"name":"a","promptTokens":"64","outputTokens":"1..20","promptFile":null,"sharedPrefixTokens":0,
                "arrivals":"poisson:rate=4.0","requests":3,"temperature":0.0}""";
        assertThat(json.readValue(old, WorkloadSpec.class).refinements()).isEqualTo(Refinements.NONE);
    }

    @Test
    void theGuideHasEveryKeyAndEveryProcessAndItsExampleIsRead() throws Exception {
        String guide = java.nio.file.Files.readString(java.nio.file.Path.of("docs/loads.md"));
        String load = guide.substring(guide.indexOf("\n## Load\n"));
        assertThat(WorkloadFields.ALL).allMatch(field -> load.contains("`" + field.name() + "`"));
        assertThat(ArrivalProcess.NAMES)
                .allMatch(name -> load.contains("`" + name + ":") || load.contains("`" + name + "`"));
        String example =
                load.substring(load.indexOf("```yaml\n") + 8, load.indexOf("```\n", load.indexOf("```yaml\n") + 8));
        ExperimentSpec spec = new SpecReader().read(example, "loads.yaml");
        assertThat(spec.workloads()).extracting(WorkloadSpec::name).containsExactly("help desk", "impatient", "rising");
        assertThat(spec.workloads()).allMatch(workload -> workload.faults().isEmpty());
    }

    private static List<WorkloadSpec> read(String workloads) throws PlanException {
        String text = "engines: [a]\nschedulers: [b]\nworkloads:\n" + workloads.indent(2);
        return new SpecReader().read(text, "f.yaml").workloads();
    }
}
