package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.wording.AdvisedText;
import org.inferometer.wording.Voice;

/// A fault of a plan.
///
/// @param where "suite.yaml:12" or the option; empty where neither applies
/// @param fault what is wrong, and its remedy
public record PlanFault(String where, @JsonIgnore AdvisedText fault) {
    /// A fault that the command line and the window say alike.
    @JsonCreator
    public PlanFault(@JsonProperty("where") String where, @JsonProperty("sentence") String sentence) {
        this(where, AdvisedText.plain(sentence));
    }

    /// The fault and its remedy, as the command line says them.
    @JsonProperty("sentence")
    public String sentence() {
        return fault.toString();
    }

    /// With its place, as this voice says it.
    public String in(Voice voice) {
        return where.isEmpty() ? fault.in(voice) : where + ": " + fault.in(voice);
    }

    @Override
    public String toString() {
        return in(Voice.COMMAND_LINE);
    }
}
