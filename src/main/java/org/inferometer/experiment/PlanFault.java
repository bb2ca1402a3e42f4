package org.inferometer.experiment;

/// A fault of a plan.
///
/// @param where "suite.yaml:12" or the option; empty where neither applies
/// @param sentence the fault and its remedy
public record PlanFault(String where, String sentence) {
    @Override
    public String toString() {
        return where.isEmpty() ? sentence : where + ": " + sentence;
    }
}
