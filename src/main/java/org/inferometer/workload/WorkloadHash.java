package org.inferometer.workload;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 over requests; equal hashes mean equal load. One thread.
final class WorkloadHash {
    private final MessageDigest digest;

    WorkloadHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    WorkloadHash add(Iterable<Request> requests) {
        requests.forEach(this::add);
        return this;
    }

    /// Adds the duration of a load that ends by time.
    WorkloadHash addDuration(long nanos) {
        if (nanos > 0) {
            digest.update(ByteBuffer.allocate(8).putLong(nanos).flip());
        }
        return this;
    }

    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private void add(Request request) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * request.promptTokens().length + 64);
        bytes.putInt(request.promptTokens().length).putInt(request.outputTokens());
        switch (request.arrival()) {
            case Arrival.At(long offset) -> bytes.putInt(1).putLong(offset);
            case Arrival.WhenFree(long think) -> bytes.putInt(2).putLong(think);
            case Arrival.AfterTurn(RequestId previous, long think) ->
                bytes.putInt(3).putInt(previous.index()).putLong(think);
        }
        bytes.putDouble(request.sampling().temperature()).putLong(request.sampling().seed());
        // Loads without limits keep the hash that they had before there were any.
        if (request.sampling().topK() > 0 || request.sampling().topP() < 1) {
            bytes.putInt(request.sampling().topK()).putDouble(request.sampling().topP());
        }
        if (request.sampling().answers() > 1) {
            bytes.putInt(request.sampling().answers());
        }
        if (!request.stop().early().isNone()) {
            digest.update(request.stop().early().toString().getBytes(StandardCharsets.UTF_8));
        }
        if (!request.deadlines().equals(RequestDeadlines.NONE)) {
            bytes.putLong(request.deadlines().timeoutNanos()).putLong(request.deadlines().cancelAfterNanos());
        }
        for (int token : request.promptTokens()) {
            bytes.putInt(token);
        }
        digest.update(bytes.flip());
    }
}
