package org.inferometer.target.http;

import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.workload.Request;
import org.jspecify.annotations.Nullable;

/// One request from its sending to its end, over as many attempts as it takes. Lives on the target's thread alone.
final class Exchange {
    private final Request request;
    private final List<Future<?>> timers = new ArrayList<>(2);
    private ResponseStream answer;
    private int dialectVersion;
    private int attempts;
    private boolean over;
    private @Nullable Connection connection;

    Exchange(Request request, ResponseStream answer) {
        this.request = request;
        this.answer = answer;
    }

    /// What is asked.
    Request request() {
        return request;
    }

    /// The reply of the current attempt.
    ResponseStream answer() {
        return answer;
    }

    /// The form in which the current attempt was sent, as [Dialect#version].
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

    /// Notes the form in which it goes out.
    void sentAs(int version) {
        dialectVersion = version;
    }

    /// Notes the connection that carries it.
    void carriedBy(Connection carrier) {
        connection = carrier;
    }

    /// The connection that carries it; absent while it waits for one.
    @Nullable
    Connection connection() {
        return connection;
    }

    /// Keeps a timer, so that it ends with the exchange.
    void timer(Future<?> timer) {
        timers.add(timer);
    }

    /// Whether its end was told.
    boolean isOver() {
        return over;
    }

    /// Marks its end.
    void end() {
        over = true;
        timers.forEach(timer -> timer.cancel(false));
    }
}
