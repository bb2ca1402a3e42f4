package org.inferometer.serving;

import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.scheduling.Lane;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Checks on arrival whether the engine's pools and limits can ever hold a request.
///
/// Pools of prefill lanes need to hold prompts only, since a request leaves them after its prefill. Transfer lanes fill
/// the pools of others.
final class AdmissionCheck {
    private final int maxSequencePositions;
    private final @Nullable KvGeometry tightestForPrompts;
    private final @Nullable KvGeometry tightestForAll;

    AdmissionCheck(EngineSetup setup) {
        maxSequencePositions = setup.limits().maxSequencePositions();
        tightestForPrompts = tightest(setup, true);
        tightestForAll = tightest(setup, false);
    }

    /// The reason to refuse the request; empty if it can be served.
    String refusal(Request request) {
        int prompt = request.promptTokens().length;
        if (prompt == 0 || request.outputTokens() < 1) {
            return "Request " + request.id() + " needs at least one prompt token and one output token.";
        }
        long total = (long) prompt + request.outputTokens() - 1;
        if (total > maxSequencePositions) {
            return "Request " + request.id() + " needs " + total + " positions, but the limit of a request is "
                    + maxSequencePositions + ".";
        }
        String refusal = refusal(request.id(), total, tightestForAll, "positions");
        return refusal.isEmpty() ? refusal(request.id(), prompt, tightestForPrompts, "prompt positions") : refusal;
    }

    private static String refusal(RequestId id, long needed, @Nullable KvGeometry pool, String what) {
        if (pool == null || needed <= positions(pool)) {
            return "";
        }
        return "Request " + id + " needs " + needed + " " + what + ", but KV pool " + pool.pool().index() + " holds "
                + positions(pool) + ". Give the pool more memory or shorten the request.";
    }

    private static @Nullable KvGeometry tightest(EngineSetup setup, boolean forPrompts) {
        KvGeometry tightest = null;
        for (Lane lane : setup.lanes()) {
            boolean counts = switch (lane.role()) {
                case PREFILL -> forPrompts;
                case ANY, DECODE -> !forPrompts;
                case TRANSFER -> false;
            };
            KvGeometry pool = setup.pools().get(lane.pool().index());
            if (counts && (tightest == null || positions(pool) < positions(tightest))) {
                tightest = pool;
            }
        }
        return tightest;
    }

    private static long positions(KvGeometry pool) {
        return (long) pool.blocks() * pool.blockTokens();
    }
}
