package org.inferometer.workload;

/// Numbers a request within its run, from 0 in the order of the workload.
public record RequestId(int index) {
    @Override
    public String toString() {
        return Integer.toString(index);
    }
}
