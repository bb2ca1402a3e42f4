package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The requests that a step is to take, in order, and how many positions of each. Filled anew for each decision.
final class StepSelection {
    private final List<Progress> requests = new ArrayList<>();
    private int[] counts = new int[16]; // [requests]
    private String limit = "";

    void clear() {
        requests.clear();
        limit = "";
    }

    void add(Progress request, int count) {
        int size = requests.size();
        if (size == counts.length) {
            counts = Arrays.copyOf(counts, size * 2);
        }
        counts[size] = count;
        requests.add(request);
    }

    int size() {
        return requests.size();
    }

    Progress request(int index) {
        return requests.get(index);
    }

    int count(int index) {
        return counts[index];
    }

    void count(int index, int count) {
        counts[index] = count;
    }

    /// What kept the selection from being larger, in words; empty when nothing did.
    String limit() {
        return limit;
    }

    void limit(String words) {
        limit = words;
    }
}
