package org.inferometer.target.http;

import org.inferometer.record.RequestStatus;
import org.jspecify.annotations.Nullable;

/// The end of a response.
///
/// @param reason empty for OK, else one sentence
/// @param refusal body of a refusal that may concern a request field; else absent
/// @param keyRefused whether the server refused the key, so that no request can succeed
record StreamEnd(RequestStatus status, String reason, @Nullable String refusal, boolean keyRefused) {
    StreamEnd(RequestStatus status, String reason, @Nullable String refusal) {
        this(status, reason, refusal, false);
    }

    /// All is well.
    static final StreamEnd OK = new StreamEnd(RequestStatus.OK, "", null);

    /// Something broke.
    static StreamEnd failed(String reason) {
        return new StreamEnd(RequestStatus.FAILED, reason, null);
    }
}
