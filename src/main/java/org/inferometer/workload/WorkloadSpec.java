package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The shape of a load: what is asked, how much is answered, and when.
///
/// @param name the preset it came from, or its own: "chat"
/// @param promptTokens lengths of prompts; of a session's turns, what each adds; unused where prompts come from a file or a trace
/// @param outputTokens lengths of answers; unused where a trace says them
/// @param promptFile one prompt a line (or JSON lines with "prompt" and "output_tokens"); absent for synthetic token ids
/// @param sharedPrefixTokens tokens every synthetic prompt of the run begins with, as a system prompt does
/// @param requests measured requests, each turn of a session one; 0 for all of a file, or for as many as the duration allows
/// @param refinements duration, sessions, patience, trace
public record WorkloadSpec(String name, LengthDistribution promptTokens, LengthDistribution outputTokens,
        @Nullable String promptFile, int sharedPrefixTokens, ArrivalProcess arrivals, int requests, double temperature,
        Refinements refinements) {

    /// Records written before there were refinements have none.
    @JsonCreator
    public WorkloadSpec(String name, LengthDistribution promptTokens, LengthDistribution outputTokens,
            @Nullable String promptFile, int sharedPrefixTokens, ArrivalProcess arrivals, int requests,
            double temperature, @Nullable Refinements refinements) {
        this.name = name;
        this.promptTokens = promptTokens;
        this.outputTokens = outputTokens;
        this.promptFile = promptFile;
        this.sharedPrefixTokens = sharedPrefixTokens;
        this.arrivals = arrivals;
        this.requests = requests;
        this.temperature = temperature;
        this.refinements = refinements == null ? Refinements.NONE : refinements;
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

    /// Whether the number of requests may be left open, since a file or the clock says it.
    public boolean countIsOpen() {
        return promptFile != null || refinements.trace() != null || refinements.durationNanos() > 0;
    }

    /// How many requests there are, or what ends the load where no number does: "60 requests", "for 20 s", "all of its file".
    public String sizeInWords() {
        boolean timed = refinements.durationNanos() > 0;
        String time = BigDecimal.valueOf(refinements.durationNanos(), 9).stripTrailingZeros().toPlainString() + " s";
        if (requests > 0) {
            String counted = requests == 1 ? "1 request" : requests + " requests";
            return timed ? "at most " + counted + " in " + time : counted;
        }
        if (refinements.trace() != null) {
            return timed ? "its trace for at most " + time : "all of its trace";
        }
        // A file's prompts begin anew until the time is over. Neither is known of a load that another tool sent and only summed up.
        return timed ? "for " + time : promptFile != null ? "all of its file" : "an unknown number of requests";
    }

    /// What cannot be asked together, one sentence each; empty when all fits. Files are not looked at.
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        boolean synthetic = promptFile == null && refinements.trace() == null;
        if (promptFile != null && refinements.trace() != null) {
            faults.add("It has both a file of prompts and a trace. Keep one.");
        }
        if (!synthetic && refinements.sessions() != null) {
            faults.add("Sessions are drawn and cannot have prompts of a file or a trace. Leave one out.");
        }
        if (!synthetic && sharedPrefixTokens > 0) {
            faults.add("A shared prefix is drawn and cannot stand before prompts of a file or a trace. Leave one out.");
        }
        if (sharedPrefixTokens == 0 && refinements.prefixGroups() > 1) {
            faults.add("It has " + refinements.prefixGroups()
                    + " groups of prefixes, and no prefix. Give shared_prefix, or leave prefix_groups out.");
        }
        if (refinements.trace() == null && arrivals instanceof ArrivalProcess.Trace) {
            faults.add(
                    "Its arrivals are those of a trace, and it has none. Choose a workload trace:FILE, or other arrivals.");
        }
        if (refinements.deadlines().cancelRate() > 0
                && refinements.deadlines().cancelAfter().equals(TimeDistribution.NONE)) {
            faults.add("It gives up requests, and does not say when. Give cancel_after, such as exponential(2s).");
        }
        return faults;
    }
}
