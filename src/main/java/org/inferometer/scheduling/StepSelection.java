package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The requests that a step is to take, in order, and how many positions of each. Made anew for each decision: a list that lived
/// on would cost the collector's barrier for each request put into it, which is more than the list.
final class StepSelection {
    private final List<Progress> requests;
    private int[] counts; // [requests]
    private int contexts;
    private String limit = "";

    /// @param size about how many there will be
    StepSelection(int size) {
        requests = new ArrayList<>(size);
        counts = new int[Math.max(size, 4)];
    }

    void add(Progress request, int count) {
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

    /// How many of them are in their context.
    int contexts() {
        return contexts;
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
