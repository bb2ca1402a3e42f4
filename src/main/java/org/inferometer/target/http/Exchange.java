package org.inferometer.target.http;

import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.workload.Request;
import org.jspecify.annotations.Nullable;

/// A request from sending to end, over all attempts. Used on the target's thread only.
final class Exchange {
    private final Request request;
    private final List<Future<?>> timers = new ArrayList<>(2);
    private ResponseStream answer;
    private int dialectVersion;
    private int attempts;
    private boolean over;
    private boolean waited;
    private @Nullable Connection connection;

    Exchange(Request request, ResponseStream answer) {
        this.request = request;
        this.answer = answer;
    }

    /// The request.
    Request request() {
        return request;
    }

    /// The response of the current attempt.
    ResponseStream answer() {
        return answer;
    }

    /// The [Dialect#version] of the current attempt.
    int dialectVersion() {
        return dialectVersion;
    }

    /// Attempts so far.
    int attempts() {
        return attempts;
    }

    /// Begins an attempt.
    void attempt(ResponseStream fresh) {
        answer = fresh;
        attempts++;
        connection = null;
    }

    /// It waits for a connection.
    void waits() {
        waited = true;
    }

    /// Whether it waited for a connection.
    boolean waited() {
        return waited;
    }

    /// Records the dialect version of the attempt.
    void sentAs(int version) {
        dialectVersion = version;
    }

    /// Records the connection of the attempt.
    void carriedBy(Connection carrier) {
        connection = carrier;
    }

    /// The connection of the attempt; absent while it waits for one.
    @Nullable
    Connection connection() {
        return connection;
    }

    /// Adds a timer that is cancelled at the end.
    void timer(Future<?> timer) {
        timers.add(timer);
    }

    /// Whether its end was reported.
    boolean isOver() {
        return over;
    }

    /// Marks its end.
    void end() {
        over = true;
        timers.forEach(timer -> timer.cancel(false));
    }
}
