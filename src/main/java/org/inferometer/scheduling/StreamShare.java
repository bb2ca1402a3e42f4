package org.inferometer.scheduling;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The remaining work of one stream from a decision for all streams: contexts and generations, each oldest first, running
/// before waiting.
///
/// Requests may have ended or been preempted since the decision, so each is looked up again before it runs.
final class StreamShare {
    private StepSelection contexts = new StepSelection(0);
    private StepSelection generations = new StepSelection(0);

    /// Starts a new share.
    ///
    /// @param size expected number of requests
    void begin(int size) {
        contexts = new StepSelection(0);
        generations = new StepSelection(size);
    }

    void add(RequestProgress progress, int count) {
        (StepBuilder.isContext(progress) ? contexts : generations).add(progress, count);
    }

    /// Drops its contexts; a later decision schedules them.
    void withholdContexts() {
        contexts = new StepSelection(0);
    }

    boolean hasContexts() {
        return contexts.size() > 0;
    }

    boolean hasGenerations() {
        return generations.size() > 0;
    }

    /// Whether any of its requests can still run.
    boolean isAlive(EngineView view) {
        StepSelection alive = new StepSelection(contexts.size() + generations.size());
        look(contexts, view, null, alive);
        look(generations, view, null, alive);
        return alive.size() > 0;
    }

    /// Takes the first step in the decision that made the share: contexts before generations, or both together.
    StepSelection first(boolean together) {
        StepSelection first = contexts;
        contexts = new StepSelection(0);
        if (first.size() == 0) {
            first = generations;
            generations = new StepSelection(0);
        } else if (together) {
            for (int i = 0; i < generations.size(); i++) {
                first.add(generations.request(i), generations.count(i));
            }
            generations = new StepSelection(0);
        }
        return first;
    }

    /// Takes the next step from the requests that can still run: contexts before generations, or both together.
    StepSelection next(EngineView view, KvReservation kv, boolean together) {
        StepSelection next = new StepSelection(contexts.size() + generations.size());
        look(contexts, view, kv, next);
        contexts = new StepSelection(0);
        if (together || next.size() == 0) {
            look(generations, view, kv, next);
            generations = new StepSelection(0);
        }
        return next;
    }

    /// Both lists are ordered by age, so one pass over running and one over waiting requests finds all that are left.
    private static void look(StepSelection share, EngineView view, @Nullable KvReservation kv, StepSelection found) {
        List<RequestProgress> running = view.running();
        Iterator<RequestProgress> waiting = view.waiting().iterator();
        RequestProgress head = null;
        int place = 0;
        for (int i = 0; i < share.size(); i++) {
            RequestProgress then = share.request(i);
            RequestProgress now;
            if (then.isWaiting()) {
                while ((head == null || head.isOlderThan(then)) && waiting.hasNext()) {
                    head = waiting.next();
                }
                now = head;
            } else {
                while (place < running.size() && running.get(place).isOlderThan(then)) {
                    place++;
                }
                now = place < running.size() ? running.get(place) : null;
            }
            if (now != null && isSame(now, then) && (kv == null || holds(kv, now))) {
                found.add(now, share.count(i));
            }
        }
    }

    private static boolean isSame(RequestProgress now, RequestProgress then) {
        return now.request().id().equals(then.request().id()) && now.computed() == then.computed() && !now.inFlight();
    }

    /// Other streams may have taken the blocks since.
    private static boolean holds(KvReservation kv, RequestProgress progress) {
        return progress.fillsBegunBlock(kv.blockTokens()) || kv.reserve(progress, progress.known());
    }
}
