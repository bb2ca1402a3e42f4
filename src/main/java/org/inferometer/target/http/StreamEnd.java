package org.inferometer.target.http;

import org.inferometer.record.RequestStatus;
import org.jspecify.annotations.Nullable;

/// How an answer ended.
///
/// @param reason empty for OK, else one sentence
/// @param refusal what the server said where it may be that it does not take a field of the request; else absent
record StreamEnd(RequestStatus status, String reason, @Nullable String refusal) {
    /// All is well.
    static final StreamEnd OK = new StreamEnd(RequestStatus.OK, "", null);

    /// Something broke.
    static StreamEnd failed(String reason) {
        return new StreamEnd(RequestStatus.FAILED, reason, null);
    }
}
