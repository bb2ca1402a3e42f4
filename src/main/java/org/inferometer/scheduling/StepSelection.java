package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The requests of a step, in order, with the number of positions of each. New for each decision: storing references in a
/// long-lived list costs a GC write barrier each.
final class StepSelection {
    private final List<RequestProgress> requests;
    private int[] counts; // [requests]
    private int contexts;
    private String limit = "";

    /// @param size expected number
    StepSelection(int size) {
        requests = new ArrayList<>(size);
        counts = new int[Math.max(size, 4)];
    }

    void add(RequestProgress request, int count) {
        int size = requests.size();
        if (size == counts.length) {
            counts = Arrays.copyOf(counts, size * 2);
        }
        counts[size] = count;
        requests.add(request);
        if (StepBuilder.isContext(request)) {
            contexts++;
        }
    }

    int size() {
        return requests.size();
    }

    /// Number of contexts.
    int contexts() {
        return contexts;
    }

    RequestProgress request(int index) {
        return requests.get(index);
    }

    int count(int index) {
        return counts[index];
    }

    void count(int index, int count) {
        counts[index] = count;
    }

    /// What limited the selection; empty if nothing did.
    String limit() {
        return limit;
    }

    void limit(String reason) {
        limit = reason;
    }
}
