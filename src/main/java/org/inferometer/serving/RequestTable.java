package org.inferometer.serving;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Live requests by id, in an open-addressing table without tombstones, at most half full: each decision looks up every
/// running request several times. Ids are consecutive, so they are hashed; otherwise they would form one run as long as
/// the queue.
final class RequestTable {
    private @Nullable LiveRequest[] places = new LiveRequest[64];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    LiveRequest find(int id) {
        int mask = places.length - 1;
        int place = home(id);
        LiveRequest at = places[place];
        while (at != null && at.index != id) {
            place = (place + 1) & mask;
            at = places[place];
        }
        return at;
    }

    /// Adds a request whose id is not in the table.
    void add(LiveRequest request) {
        if (2 * (size + 1) > places.length) {
            List<LiveRequest> all = all();
            places = new LiveRequest[places.length * 2];
            all.forEach(this::place);
        }
        place(request);
        size++;
    }

    void remove(LiveRequest request) {
        int mask = places.length - 1;
        int hole = home(request.index);
        while (places[hole] != request) {
            hole = (hole + 1) & mask;
        }
        // Later entries of the run move up, or they would not be found across the hole.
        int place = hole;
        while (true) {
            place = (place + 1) & mask;
            LiveRequest at = places[place];
            if (at == null) {
                break;
            }
            int home = home(at.index);
            if (((place - home) & mask) >= ((place - hole) & mask)) {
                places[hole] = at;
                hole = place;
            }
        }
        places[hole] = null;
        size--;
    }

    List<LiveRequest> all() {
        List<LiveRequest> all = new ArrayList<>(size);
        for (LiveRequest request : places) {
            if (request != null) {
                all.add(request);
            }
        }
        return all;
    }

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the top bits of the product with 2^32 over the golden ratio.
    private int home(int id) {
        return (id * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(places.length));
    }

    private void place(LiveRequest request) {
        int mask = places.length - 1;
        int place = home(request.index);
        while (places[place] != null) {
            place = (place + 1) & mask;
        }
        places[place] = request;
    }
}
