package org.inferometer.suite.figures;

import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// A load of a test, as the framework's files name it.
public sealed interface SuiteLoad {
    /// Requests in flight.
    record Concurrency(int requests) implements SuiteLoad {}

    /// Other arrivals, by the workload's name.
    record Named(String name) implements SuiteLoad {}

    static SuiteLoad of(WorkloadSpec load) {
        return load.arrivals() instanceof ArrivalProcess.ClosedLoop closed ? new Concurrency(closed.concurrency())
                : new Named(load.name());
    }

    /// "concurrency 32" or "load chat".
    default String text() {
        return switch (this) {
            case Concurrency load -> "concurrency " + load.requests;
            case Named load -> "load " + load.name;
        };
    }

    /// The option of the framework's client: "concurrency=32" or "load=chat".
    default String option() {
        return switch (this) {
            case Concurrency load -> "concurrency=" + load.requests;
            case Named load -> "load=" + load.name;
        };
    }

    /// The end of a test's name in tables of tests: "con:32" or "chat".
    default String suffix() {
        return switch (this) {
            case Concurrency load -> "con:" + load.requests;
            case Named load -> load.name;
        };
    }

    /// The same in tables of pairs: "con:32" or "load-chat".
    default String pairSuffix() {
        return switch (this) {
            case Concurrency load -> "con:" + load.requests;
            case Named load -> "load-" + load.name.replace(' ', '-');
        };
    }
}
