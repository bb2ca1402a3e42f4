package org.inferometer.experiment;

/// One thing that is wrong with a plan.
///
/// @param where "suite.yaml:12" or the option; empty where neither applies
/// @param sentence what is wrong and the way out
public record PlanFault(String where, String sentence) {
    @Override
    public String toString() {
        return where.isEmpty() ? sentence : where + ": " + sentence;
    }
}
