package org.inferometer.serving;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.inferometer.scheduling.RequestProgress;

/// Admitted requests by age; for schedulers a read-only list of their progress.
final class RunningRequests extends AbstractList<RequestProgress> implements RandomAccess {
    private final List<LiveRequest> requests = new ArrayList<>();

    @Override
    public RequestProgress get(int index) {
        return requests.get(index).progress();
    }

    @Override
    public int size() {
        return requests.size();
    }

    LiveRequest request(int index) {
        return requests.get(index);
    }

    void insert(LiveRequest request) {
        requests.add(indexFor(request), request);
    }

    void delete(LiveRequest request) {
        requests.remove(indexFor(request));
    }

    /// Index of the first request that is not older.
    private int indexFor(LiveRequest request) {
        int low = 0;
        int high = requests.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (requests.get(middle).isOlderThan(request)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
