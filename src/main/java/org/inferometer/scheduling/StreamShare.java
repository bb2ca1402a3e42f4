package org.inferometer.scheduling;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one stream is still to do of a decision that was made for all: its contexts and its generations, each oldest first, those
/// that run before those that wait.
///
/// Since the decision requests may have ended or lost their blocks, so everything is looked up again before it runs.
final class StreamShare {
    private final StepSelection contexts = new StepSelection();
    private final StepSelection generations = new StepSelection();

    void clear() {
        contexts.clear();
        generations.clear();
    }

    void add(Progress progress, int count) {
        (StepDraft.isContext(progress) ? contexts : generations).add(progress, count);
    }

    boolean hasContexts() {
        return contexts.size() > 0;
    }

    boolean hasGenerations() {
        return generations.size() > 0;
    }

    /// Whether anything of it can still run.
    boolean isAlive(EngineView view) {
        StepSelection alive = new StepSelection();
        look(contexts, view, null, alive);
        look(generations, view, null, alive);
        return alive.size() > 0;
    }

    /// Takes the next step out of it: contexts before generations, or both together.
    StepSelection next(EngineView view, KvTrial kv, boolean together) {
        StepSelection next = new StepSelection();
        look(contexts, view, kv, next);
        contexts.clear();
        if (together || next.size() == 0) {
            look(generations, view, kv, next);
            generations.clear();
        }
        return next;
    }

    /// Both lists are by age, so one walk through the running requests and one through the waiting ones find all that are left.
    private static void look(StepSelection share, EngineView view, @Nullable KvTrial kv, StepSelection found) {
        List<Progress> running = view.running();
        Iterator<Progress> waiting = view.waiting().iterator();
        Progress head = null;
        int place = 0;
        for (int i = 0; i < share.size(); i++) {
            Progress then = share.request(i);
            Progress now;
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

    private static boolean isSame(Progress now, Progress then) {
        return now.request().id().equals(then.request().id()) && now.computed() == then.computed() && !now.inFlight();
    }

    /// Streams that go on alone may have taken the blocks since.
    private static boolean holds(KvTrial kv, Progress progress) {
        return progress.fillsBegunBlock(kv.blockTokens()) || kv.reserve(progress, progress.known());
    }
}
