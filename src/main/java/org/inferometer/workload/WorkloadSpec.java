package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The shape of a load: prompts, output lengths and arrivals.
///
/// @param name of the preset, or its own: "chat"
/// @param promptTokens prompt lengths; with sessions, new tokens per turn; unused with a prompt file or a trace
/// @param outputTokens output lengths; unused with a trace
/// @param promptFile one prompt per line (or JSON lines with "prompt" and "output_tokens"); absent for synthetic token ids
/// @param sharedPrefixTokens length of a prefix shared by all synthetic prompts, like a system prompt
/// @param requests measured requests, counting each turn of a session; 0 for all of a file, or as many as the duration allows
/// @param refinements duration, sessions, deadlines, trace
public record WorkloadSpec(@JsonProperty("name") String name,
        @JsonProperty("promptTokens") LengthDistribution promptTokens,
        @JsonProperty("outputTokens") LengthDistribution outputTokens,
        @JsonProperty("promptFile") @Nullable String promptFile,
        @JsonProperty("sharedPrefixTokens") int sharedPrefixTokens, @JsonProperty("arrivals") ArrivalProcess arrivals,
        @JsonProperty("requests") int requests, @JsonProperty("temperature") double temperature,
        @JsonProperty("refinements") Refinements refinements) {

    private static final int REQUESTS_PER_SLOT = 6;

    /// Records of older versions have no refinements.
    @JsonCreator
    public WorkloadSpec {
        refinements = refinements == null ? Refinements.NONE : refinements;
    }

    /// A load without refinements.
    public WorkloadSpec(String name, LengthDistribution promptTokens, LengthDistribution outputTokens,
            @Nullable String promptFile, int sharedPrefixTokens, ArrivalProcess arrivals, int requests,
            double temperature) {
        this(name, promptTokens, outputTokens, promptFile, sharedPrefixTokens, arrivals, requests, temperature,
                Refinements.NONE);
    }

    /// The same load under another name.
    public WorkloadSpec withName(String changed) {
        return new WorkloadSpec(changed, promptTokens, outputTokens, promptFile, sharedPrefixTokens, arrivals, requests,
                temperature, refinements);
    }

    /// The same load with other lengths.
    public WorkloadSpec withLengths(LengthDistribution prompt, LengthDistribution output) {
        return new WorkloadSpec(name, prompt, output, promptFile, sharedPrefixTokens, arrivals, requests, temperature,
                refinements);
    }

    /// The same load with prompts of a file, or with synthetic ones.
    public WorkloadSpec withPromptFile(@Nullable String changed) {
        return new WorkloadSpec(name, promptTokens, outputTokens, changed, sharedPrefixTokens, arrivals, requests,
                temperature, refinements);
    }

    /// The same load with a shared prefix of another length.
    public WorkloadSpec withSharedPrefix(int tokens) {
        return new WorkloadSpec(name, promptTokens, outputTokens, promptFile, tokens, arrivals, requests, temperature,
                refinements);
    }

    /// The same shape arriving differently.
    public WorkloadSpec withArrivals(ArrivalProcess changed) {
        return new WorkloadSpec(name, promptTokens, outputTokens, promptFile, sharedPrefixTokens, changed, requests,
                temperature, refinements);
    }

    /// The same shape in a closed loop, with six requests a slot or more: rates need every slot several times.
    public WorkloadSpec withSlots(int slots) {
        long least = requests == 0 ? 0 : (long) REQUESTS_PER_SLOT * slots;
        return withArrivals(new ArrivalProcess.ClosedLoop(slots))
                .withRequests((int) Math.clamp(least, requests, Integer.MAX_VALUE));
    }

    /// The same shape with another number of requests.
    public WorkloadSpec withRequests(int changed) {
        return new WorkloadSpec(name, promptTokens, outputTokens, promptFile, sharedPrefixTokens, arrivals, changed,
                temperature, refinements);
    }

    /// The same load sampled at another temperature.
    public WorkloadSpec withTemperature(double changed) {
        return new WorkloadSpec(name, promptTokens, outputTokens, promptFile, sharedPrefixTokens, arrivals, requests,
                changed, refinements);
    }

    /// The same load refined differently.
    public WorkloadSpec withRefinements(Refinements changed) {
        return new WorkloadSpec(name, promptTokens, outputTokens, promptFile, sharedPrefixTokens, arrivals, requests,
                temperature, changed);
    }

    /// Whether a file or a duration determines the number of requests.
    public boolean countIsOpen() {
        return promptFile != null || refinements.trace() != null || refinements.durationNanos() > 0;
    }

    /// Planned requests: the number asked for, or the mean number of arrivals within the duration if that is smaller. Of sessions that
    /// arrive at a rate, each counts as one request. 0 where a file or the speed of the target determines the number.
    public double expectedRequests() {
        double seconds = refinements.durationNanos() / 1e9;
        double arriving = seconds == 0 ? 0 : switch (arrivals) {
            case ArrivalProcess.Constant(double perSecond) -> perSecond * seconds;
            case ArrivalProcess.Poisson(double perSecond) -> perSecond * seconds;
            case ArrivalProcess.Gamma(double perSecond, double _) -> perSecond * seconds;
            case ArrivalProcess.Ramp(double from, double to, double ramp, var _) -> {
                double ramped = Math.min(seconds, ramp);
                yield ramped * (from + (to - from) * ramped / ramp / 2) + (seconds - ramped) * to;
            }
            case ArrivalProcess.ClosedLoop _,ArrivalProcess.Trace _,ArrivalProcess.Offline _ -> 0;
        };
        return requests == 0 ? arriving : arriving == 0 ? requests : Math.min(requests, arriving);
    }

    /// The number of requests, or the end of the load without one: "60 requests", "for 20 s", "all of its file".
    public String sizeText() {
        boolean timed = refinements.durationNanos() > 0;
        String time = BigDecimal.valueOf(refinements.durationNanos(), 9).stripTrailingZeros().toPlainString() + " s";
        if (requests > 0) {
            String counted = requests == 1 ? "1 request" : requests + " requests";
            return timed ? "at most " + counted + " in " + time : counted;
        }
        if (refinements.trace() != null) {
            return timed ? "its trace for at most " + time : "all of its trace";
        }
        // Loads imported from other tools may have neither.
        return timed ? "for " + time : promptFile != null ? "all of its file" : "an unknown number of requests";
    }

    /// Contradictions in the specification; empty if there are none. Files are not read.
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        boolean synthetic = promptFile == null && refinements.trace() == null;
        if (requests < (countIsOpen() ? 0 : 1)) {
            faults.add("It has " + requests + " requests. Give a number from 1, or a duration.");
        }
        if (temperature == 0 && (refinements.topK() > 0 || refinements.topP() > 0)) {
            faults.add("top_k and top_p have no effect at temperature 0. Set temperature, or leave them out.");
        }
        if (temperature == 0 && refinements.answers() > 1) {
            faults.add(
                    "n needs a temperature: at temperature 0 all answers are equal. Set temperature, or leave n out.");
        }
        if (promptFile != null && refinements.trace() != null) {
            faults.add("The workload has both a prompt file and a trace. Keep one.");
        }
        if (synthetic && refinements.varyPrompts()) {
            faults.add(
                    "vary_prompts is for texts of a prompt file or a trace; drawn prompts are new in each run. Leave it out.");
        }
        if (!synthetic && refinements.sessions() != null) {
            faults.add("Sessions cannot be combined with a prompt file or a trace. Keep one.");
        }
        if (!synthetic && sharedPrefixTokens > 0) {
            faults.add("A shared prefix cannot be combined with a prompt file or a trace. Keep one.");
        }
        if (sharedPrefixTokens == 0 && refinements.prefixGroups() > 1) {
            faults.add("It has " + refinements.prefixGroups()
                    + " groups of prefixes, but no prefix. Give shared_prefix, or leave prefix_groups out.");
        }
        if (refinements.trace() == null && arrivals instanceof ArrivalProcess.Trace) {
            faults.add(
                    "The arrivals come from a trace, but there is none. Choose the workload trace:FILE or other arrivals.");
        }
        if (arrivals instanceof ArrivalProcess.Offline && refinements.durationNanos() > 0) {
            faults.add("The arrivals are offline: all requests come at once. Leave the duration out, or give a rate.");
        }
        if (refinements.deadlines().cancelRate() > 0
                && refinements.deadlines().cancelAfter().equals(TimeDistribution.NONE)) {
            faults.add("cancel_rate needs a time. Give cancel_after, such as exponential(2s).");
        }
        return faults;
    }
}
