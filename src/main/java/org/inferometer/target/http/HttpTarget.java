package org.inferometer.target.http;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.DistinctMessages;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.target.WordTokenizer;
import org.inferometer.units.Clock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;

/// A server driven over HTTP/1.1 by one thread of its own, which reads, stamps, understands and tells.
///
/// Bytes are stamped as the socket gives them, before anything looks at them. One thread means that the listener needs no lock, that no
/// queue can grow, and that a listener that is slow shows as back-pressure on the server's sockets, not as memory.
final class HttpTarget implements Target {
    private static final int MOST_ATTEMPTS = 12;
    private static final long SHUTDOWN_SECONDS = 10;
    private static final String CLOSED = "The target was closed.";

    private final String description;
    private final HttpSettings settings;
    private final Clock clock;
    private final RequestListener listener;
    private final DistinctMessages notices;
    private final String path;
    private final HttpHeaders headers;
    private final RequestBody bodies;
    private final Dialect dialect;
    private final ChunkReader chunks = new ChunkReader();
    private final MultiThreadIoEventLoopGroup threads;
    private final EventLoop loop;
    private final Connections connections;
    private final Runnable alsoClosed;
    private final Map<RequestId, Exchange> inFlight = new HashMap<>();
    private volatile boolean closing;

    /// Starts its thread; nothing is contacted before the first request.
    ///
    /// @param model the name to ask for
    /// @param alsoClosed run when the target is closed
    HttpTarget(HttpSettings settings, String model, Connections.TrustedServer server, Clock clock,
            RequestListener listener, DistinctMessages notices, Runnable alsoClosed) {
        this.description = model + " at " + settings.url();
        this.settings = settings;
        this.clock = clock;
        this.listener = listener;
        this.notices = notices;
        this.alsoClosed = alsoClosed;
        this.path = settings.url().path(settings.chat() ? "chat/completions" : "completions");
        this.headers = headers(settings);
        this.bodies = new RequestBody(settings.chat(), model, new WordTokenizer(settings.options().vocabulary()));
        this.dialect = new Dialect(settings);
        this.threads = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("http-target", true),
                NioIoHandler.newFactory());
        this.loop = threads.next();
        this.connections = new Connections(loop, clock, server, settings.options().connections(), new Carrying());
    }

    private static HttpHeaders headers(HttpSettings settings) {
        HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.HOST, settings.url().authority())
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json").set(HttpHeaderNames.ACCEPT, "text/event-stream")
                .set(HttpHeaderNames.USER_AGENT, "inferometer");
        settings.key().header().ifPresent(value -> headers.set(HttpHeaderNames.AUTHORIZATION, value));
        return headers;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void send(Request request) {
        long sentNanos = clock.nanos();
        onLoop(() -> start(request, sentNanos));
    }

    @Override
    public void cancel(RequestId request) {
        if (!closing) {
            onLoop(() -> giveUp(request, RequestStatus.CANCELLED, "Its sender gave it up."));
        }
    }

    @Override
    public void arrivalsEnded() {}

    /// Ends what is in flight as cancelled; nothing is told afterwards.
    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        alsoClosed.run();
        if (loop.inEventLoop()) {
            endAll();
            threads.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        } else {
            loop.submit(this::endAll).awaitUninterruptibly();
            threads.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly(SHUTDOWN_SECONDS,
                    TimeUnit.SECONDS);
        }
    }

    private void endAll() {
        for (RequestId id : new ArrayList<>(inFlight.keySet())) {
            giveUp(id, RequestStatus.CANCELLED, CLOSED);
        }
        connections.close();
    }

    private void onLoop(Runnable task) {
        if (closing) {
            throw new IllegalStateException("The target is closed; no request can be sent to it.");
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("The target is closed; no request can be sent to it.", e);
        }
    }

    private void start(Request request, long sentNanos) {
        Exchange exchange = new Exchange(request, new ResponseStream(request, listener, chunks));
        inFlight.put(request.id(), exchange);
        if (closing) {
            giveUp(request.id(), RequestStatus.CANCELLED, CLOSED);
            return;
        }
        RequestDeadlines patience = request.deadlines();
        long ownLimit = (long) (settings.options().timeoutSeconds() * 1e9);
        long timeout = patience.timeoutNanos() > 0 ? Math.min(patience.timeoutNanos(), ownLimit) : ownLimit;
        after(exchange, sentNanos + timeout, RequestStatus.TIMED_OUT,
                "No whole answer within " + timeout / 1_000_000 + " ms.");
        if (patience.cancelAfterNanos() > 0) {
            after(exchange, sentNanos + patience.cancelAfterNanos(), RequestStatus.CANCELLED,
                    "Its user went away after " + patience.cancelAfterNanos() / 1_000_000 + " ms, as drawn.");
        }
        attempt(exchange, false);
    }

    private void after(Exchange exchange, long deadlineNanos, RequestStatus status, String reason) {
        exchange.timer(loop.schedule(() -> giveUp(exchange.request().id(), status, reason),
                Math.max(0, deadlineNanos - clock.nanos()), TimeUnit.NANOSECONDS));
    }

    private void attempt(Exchange exchange, boolean freshConnection) {
        exchange.attempt(new ResponseStream(exchange.request(), listener, chunks));
        connections.lease(exchange, freshConnection);
    }

    private void giveUp(RequestId id, RequestStatus status, String reason) {
        Exchange exchange = inFlight.get(id);
        if (exchange != null) {
            Connection connection = exchange.connection();
            if (connection != null) {
                connection.close();
            }
            end(exchange, new StreamEnd(status, reason, null), clock.nanos());
        }
    }

    private void end(Exchange exchange, StreamEnd ending, long nanos) {
        if (exchange.isOver()) {
            return;
        }
        exchange.end();
        RequestId id = exchange.request().id();
        inFlight.remove(id);
        listener.counted(id, exchange.answer().counts());
        // What breaks while everything is being closed did not break by itself.
        StreamEnd told = closing && ending.status() == RequestStatus.FAILED
                ? new StreamEnd(RequestStatus.CANCELLED, CLOSED, null) : ending;
        listener.ended(id, nanos, told.status(), settings.key().removedFrom(told.reason()));
    }

    /// What the connections tell.
    private final class Carrying implements Connections.Carrier {
        @Override
        public void ready(Exchange exchange, Connection connection) {
            exchange.sentAs(dialect.version());
            connection.carry(exchange, path, headers, bodies.of(exchange.request(), dialect));
        }

        @Override
        public void settled(Exchange exchange, StreamEnd ending, long nanos) {
            String refusal = ending.refusal();
            if (refusal != null && exchange.attempts() < MOST_ATTEMPTS && learnt(exchange, refusal)) {
                attempt(exchange, false);
            } else {
                end(exchange, ending, nanos);
            }
        }

        /// Whether sending it again in another form has a chance.
        private boolean learnt(Exchange exchange, String refusal) {
            if (exchange.dialectVersion() < dialect.version()) {
                return true;
            }
            return dialect.learn(refusal).map(sentence -> {
                notices.once(sentence);
                return true;
            }).orElse(false);
        }

        @Override
        public void lost(Exchange exchange, boolean stale, String how) {
            if (stale && exchange.attempts() < MOST_ATTEMPTS) {
                notices.once(
                        "The server closes connections that rest; a request met one and was sent again on a new one.");
                attempt(exchange, true);
                return;
            }
            ResponseStream answer = exchange.answer();
            String when = answer.begun() ? " after " + answer.outputChunks() + " chunks" : " before it answered";
            end(exchange, StreamEnd.failed("The connection to the server broke" + when + ": " + how + "."),
                    clock.nanos());
        }

        @Override
        public void unreachable(Exchange exchange, String how) {
            end(exchange, StreamEnd.failed("No connection to " + settings.url().authority() + ": " + how + "."),
                    clock.nanos());
        }

        @Override
        public void waits() {
            notices.once("All " + settings.options().connections()
                    + " connections were in use and requests waited for one; that wait is in their latencies. Raise connections.");
        }
    }
}
