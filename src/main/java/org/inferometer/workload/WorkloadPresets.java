package org.inferometer.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.units.NearMisses;

/// Named workloads; a name is a preset, `prompts:FILE`, or `trace:FILE,option=value`.
public final class WorkloadPresets {
    private static final String PROMPTS = "prompts:";
    private static final String TRACE = "trace:";
    private static final ArrivalProcess EIGHT_IN_FLIGHT = new ArrivalProcess.ClosedLoop(8);
    private static final int USUAL_REQUESTS = 50;
    private static final long SECOND = 1_000_000_000L;

    private final Map<String, WorkloadSpec> presets = new LinkedHashMap<>();
    private final Map<String, String> purposes = new HashMap<>();

    /// The built-in presets.
    public WorkloadPresets() {
        add("short", "Short questions with short answers, all alike.", fixed(64), fixed(64), 0, USUAL_REQUESTS);
        add("medium", "Paragraphs with answers of half their length, all alike.", fixed(256), fixed(128), 0,
                USUAL_REQUESTS);
        add("long", "Long prompts with long answers, all alike.", fixed(512), fixed(256), 0, USUAL_REQUESTS);
        add("basic", "Tiny prompts and answers of any length up to 20: a functional check.", uniform(1, 20),
                uniform(1, 20), 0, 20);
        add("mixed-medium", "Mixed short lengths: shows what padding costs.", uniform(1, 100), uniform(1, 50), 0, 50);
        add("mixed-large", "Mixed longer lengths: shows what padding costs.", uniform(5, 400), uniform(1, 150), 0, 100);
        add("1k1k", "1,024 tokens in and out, as vendors publish.", fixed(1024), fixed(1024), 0, USUAL_REQUESTS);
        add("8k1k", "8,192 tokens in, 1,024 out: long context, as vendors publish.", fixed(8192), fixed(1024), 0,
                USUAL_REQUESTS);
        add("chat", "Chat: few long prompts among many short ones.", lognormal(120, 0.9, 8, 1024),
                lognormal(100, 0.7, 4, 512), 0, USUAL_REQUESTS);
        add("code", "Code completion: long prompts, very short answers.", lognormal(900, 0.6, 64, 3072),
                lognormal(24, 0.8, 2, 256), 0, USUAL_REQUESTS);
        add("agent", "Agent steps: all prompts begin with the same 512 tokens.", lognormal(400, 0.6, 32, 1536),
                lognormal(60, 0.7, 4, 256), 512, USUAL_REQUESTS);
        addSessions("chat-sessions", "Conversations of 2 to 8 turns with pauses; each turn repeats what was said.",
                lognormal(60, 0.8, 4, 256), lognormal(80, 0.6, 4, 256), 0,
                new Sessions(uniform(2, 8), new TimeDistribution.LognormalTime(2 * SECOND, 0.7), 2048));
        addSessions("agent-sessions", "Agents of 4 to 12 steps with short pauses and one system prompt.",
                lognormal(120, 0.8, 8, 512), lognormal(40, 0.6, 4, 160), 256,
                new Sessions(uniform(4, 12), new TimeDistribution.LognormalTime(SECOND / 4, 0.5), 2048));
    }

    /// What a preset stands for, in one sentence; empty for other names.
    public String purpose(String name) {
        return purposes.getOrDefault(name, "");
    }

    /// All presets, in the order of the documentation.
    public List<WorkloadSpec> all() {
        return List.copyOf(presets.values());
    }

    /// The preset of that name, or the workload of a prompt file or a trace.
    ///
    /// @throws IllegalArgumentException with near misses and the valid set
    public WorkloadSpec find(String name) {
        if (name.startsWith(PROMPTS)) {
            return fromFile(name.substring(PROMPTS.length()));
        }
        if (name.startsWith(TRACE)) {
            return fromTrace(name.substring(TRACE.length()));
        }
        WorkloadSpec preset = presets.get(name);
        if (preset == null) {
            List<String> valid = new ArrayList<>(presets.keySet());
            valid.add(PROMPTS + "FILE");
            valid.add(TRACE + "FILE");
            throw new IllegalArgumentException(NearMisses.sentence("workload", name, valid));
        }
        return preset;
    }

    private static WorkloadSpec fromFile(String file) {
        if (file.isBlank()) {
            throw new IllegalArgumentException("Write prompts:FILE with the name of the file.");
        }
        return new WorkloadSpec(PROMPTS + stem(file), fixed(1), fixed(64), file, 0, EIGHT_IN_FLIGHT, 0, 0);
    }

    /// Speed and number of requests become settings of the workload.
    private static WorkloadSpec fromTrace(String written) {
        TraceReplay replay = TraceReplay.parse(written);
        TraceOptions options = replay.options();
        ArrivalProcess arrivals = new ArrivalProcess.Trace(options.speed());
        return new WorkloadSpec(TRACE + stem(replay.file()), fixed(1), fixed(1), null, 0, arrivals, options.requests(),
                0).withRefinements(Refinements.NONE.withTrace(new TraceReplay(replay.file(), options.withoutLoad())));
    }

    private static String stem(String file) {
        return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    }

    private void add(String name, String purpose, LengthDistribution prompt, LengthDistribution output,
            int sharedPrefix, int requests) {
        purposes.put(name, purpose);
        presets.put(name, new WorkloadSpec(name, prompt, output, null, sharedPrefix, EIGHT_IN_FLIGHT, requests, 0));
    }

    private void addSessions(String name, String purpose, LengthDistribution prompt, LengthDistribution output,
            int sharedPrefix, Sessions sessions) {
        add(name, purpose, prompt, output, sharedPrefix, USUAL_REQUESTS);
        presets.computeIfPresent(name, (key, alone) -> alone.withRefinements(Refinements.NONE.withSessions(sessions)));
    }

    private static LengthDistribution fixed(int tokens) {
        return new LengthDistribution.FixedLength(tokens);
    }

    private static LengthDistribution uniform(int min, int max) {
        return new LengthDistribution.UniformLength(min, max);
    }

    private static LengthDistribution lognormal(double median, double sigma, int min, int max) {
        return new LengthDistribution.LognormalLength(median, sigma, min, max);
    }
}
