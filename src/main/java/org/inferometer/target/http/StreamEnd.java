package org.inferometer.target.http;

import org.inferometer.record.RequestStatus;
import org.jspecify.annotations.Nullable;

/// The end of a response.
///
/// @param reason empty for OK, else one sentence
/// @param masked whether the key was removed from the reason
/// @param refusal body of a refusal that may concern a request field; else absent
/// @param keyRefused whether the server refused the key, so that no request can succeed
record StreamEnd(RequestStatus status, String reason, boolean masked, @Nullable String refusal, boolean keyRefused) {
    StreamEnd(RequestStatus status, String reason, boolean masked) {
        this(status, reason, masked, null, false);
    }

    /// All is well.
    static final StreamEnd OK = new StreamEnd(RequestStatus.OK, "", true);

    /// Something broke.
    static StreamEnd failed(String reason) {
        return new StreamEnd(RequestStatus.FAILED, reason, false);
    }

    /// The server says that something broke.
    ///
    /// @param reason without the key
    static StreamEnd failedMasked(String reason) {
        return new StreamEnd(RequestStatus.FAILED, reason, true);
    }
}
