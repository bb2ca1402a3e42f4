package org.inferometer.remote;

import java.time.Duration;

/// How long the other side may show no progress before the connection is ended. Its experiment goes on there.
///
/// @param answer until its greeting, or what it offers
/// @param build until a build advances by a hundredth
/// @param progress until a run begins, enters its next phase or ends, or more of its tokens have come
/// @param record for each 64 MiB of a record, so that 4 GiB come within five hours
/// @param stop from a cancellation to the record
record RemoteLimits(Duration answer, Duration build, Duration progress, Duration record, Duration stop) {
    static final RemoteLimits STANDARD = new RemoteLimits(Duration.ofSeconds(60), Duration.ofMinutes(10),
            Duration.ofHours(1), Duration.ofMinutes(4), Duration.ofMinutes(10));
}
