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
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.ServerIdentity;
import org.inferometer.target.PromptVariation;
import org.inferometer.target.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.TargetListener;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.target.WordTokenizer;
import org.inferometer.units.Clock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// A server driven over HTTP/1.1 by one thread, which reads, decodes and reports.
///
/// Received bytes get their time before they are decoded. With one thread the listener needs no lock, no queue grows, and
/// a slow listener causes back-pressure on the sockets.
final class HttpTarget implements Target {
    private static final int MOST_ATTEMPTS = 12;
    private static final long SHUTDOWN_SECONDS = 10;
    private static final String CLOSED = "The target was closed.";

    private final String description;
    private final ServerIdentity identity;
    private final HttpSettings settings;
    private final Clock clock;
    private final RequestListener listener;
    private final TargetListener events;
    private final DistinctMessages messages;
    private final String path;
    private final HttpHeaders headers;
    private final RequestBody bodies;
    private final @Nullable RequestMix mix;
    private final @Nullable Conversations conversations;
    private final Dialect dialect;
    private final ChunkReader chunks;
    private final boolean keepText;
    private final MultiThreadIoEventLoopGroup threads;
    private final EventLoop loop;
    private final Connections connections;
    private final Runnable alsoClosed;
    private final Map<RequestId, Exchange> inFlight = new HashMap<>();
    private volatile boolean closing;

    /// Starts the thread; the server is contacted with the first request.
    ///
    /// @param identity what the server says about itself
    /// @param model requested
    /// @param vocabulary ids of prompts are below it
    /// @param alsoClosed run when the target is closed
    HttpTarget(HttpSettings settings, ServerIdentity identity, String model, int vocabulary,
            Connections.TrustedServer server, TargetSetup setup, DistinctMessages messages, Runnable alsoClosed) {
        this.description = settings.key().removedFrom(model) + " at " + settings.url();
        this.identity = identity;
        this.settings = settings;
        this.clock = setup.clock();
        this.listener = setup.requests();
        this.events = setup.events();
        this.keepText = setup.keepText();
        boolean answers = settings.options().history() == HttpOptions.History.ANSWERS;
        this.chunks = new ChunkReader(keepText, answers);
        this.messages = messages;
        this.alsoClosed = alsoClosed;
        this.path =
                settings.url().path(settings.chat() ? "chat/completions" : "completions") + settings.extras().query();
        this.headers = headers(settings);
        WordTokenizer words = new WordTokenizer(vocabulary);
        PromptVariation variation = settings.options().varyPrompts() && setup.promptSeed() != 0
                ? PromptVariation.of(setup.promptSeed(), vocabulary) : PromptVariation.within(vocabulary);
        this.mix = settings.extras().mix().isEmpty() ? null : new RequestMix(settings.extras().mix());
        this.conversations = answers ? new Conversations(tokens -> words.decode(variation.of(tokens))) : null;
        this.bodies = new RequestBody(settings.chat(), model, words, variation, settings.options().stream(),
                settings.extras().body(), mix, conversations);
        this.dialect = new Dialect(settings);
        this.threads = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("http-target", true),
                NioIoHandler.newFactory());
        this.loop = threads.next();
        this.connections =
                new Connections(loop, clock, server, settings.options().connections(), new ConnectionEvents());
    }

    private static HttpHeaders headers(HttpSettings settings) {
        HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.HOST, settings.url().authority())
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .set(HttpHeaderNames.ACCEPT, settings.options().stream() ? "text/event-stream" : "application/json")
                .set(HttpHeaderNames.USER_AGENT, "inferometer");
        settings.extras().headers().forEach(headers::set);
        settings.key().header().ifPresent(value -> headers.set(HttpHeaderNames.AUTHORIZATION, value));
        return headers;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Optional<ServerIdentity> server() {
        return Optional.of(identity);
    }

    @Override
    public void send(Request request) {
        long sentNanos = clock.nanos();
        onLoop(() -> start(request, sentNanos));
    }

    @Override
    public void cancel(RequestId request) {
        if (!closing) {
            onLoop(() -> cancelExchange(request, RequestStatus.CANCELLED, "The client cancelled the request."));
        }
    }

    @Override
    public void arrivalsEnded() {}

    /// Cancels requests in flight; nothing is reported afterwards.
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
            cancelExchange(id, RequestStatus.CANCELLED, CLOSED);
        }
        connections.close();
    }

    private void onLoop(Runnable task) {
        if (closing) {
            throw new IllegalStateException("The target is closed and takes no requests.");
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("The target is closed and takes no requests.", e);
        }
    }

    private void start(Request request, long sentNanos) {
        Exchange exchange = new Exchange(request, new ResponseStream(request, listener, chunks, settings));
        inFlight.put(request.id(), exchange);
        if (conversations != null) {
            conversations.begun(request);
        }
        if (mix != null) {
            events.variant(request.id(), sentNanos, mix.of(request).name());
        }
        if (closing) {
            cancelExchange(request.id(), RequestStatus.CANCELLED, CLOSED);
            return;
        }
        RequestDeadlines deadlines = request.deadlines();
        long ownLimit = (long) (settings.options().timeoutSeconds() * 1e9);
        long timeout = deadlines.timeoutNanos() > 0 ? Math.min(deadlines.timeoutNanos(), ownLimit) : ownLimit;
        after(exchange, sentNanos + timeout, RequestStatus.TIMED_OUT,
                "No complete response within " + timeout / 1_000_000 + " ms.");
        if (deadlines.cancelAfterNanos() > 0) {
            after(exchange, sentNanos + deadlines.cancelAfterNanos(), RequestStatus.GAVE_UP,
                    "The user gave up after " + deadlines.cancelAfterNanos() / 1_000_000 + " ms.");
        }
        attempt(exchange, false);
    }

    private void after(Exchange exchange, long deadlineNanos, RequestStatus status, String reason) {
        exchange.timer(loop.schedule(() -> cancelExchange(exchange.request().id(), status, reason),
                Math.max(0, deadlineNanos - clock.nanos()), TimeUnit.NANOSECONDS));
    }

    private void attempt(Exchange exchange, boolean freshConnection) {
        if (keepText) {
            bodies.promptText(exchange.request(), dialect)
                    .ifPresent(text -> listener.prompt(exchange.request().id(), text));
        }
        exchange.attempt(new ResponseStream(exchange.request(), listener, chunks, settings));
        connections.lease(exchange, freshConnection);
    }

    private void cancelExchange(RequestId id, RequestStatus status, String reason) {
        Exchange exchange = inFlight.get(id);
        if (exchange != null) {
            Connection connection = exchange.connection();
            if (connection != null) {
                connection.close();
            }
            end(exchange, new StreamEnd(status, reason, false), clock.nanos());
        }
    }

    private void end(Exchange exchange, StreamEnd ending, long nanos) {
        if (exchange.isOver()) {
            return;
        }
        exchange.end();
        RequestId id = exchange.request().id();
        inFlight.remove(id);
        RequestListener.TokenCounts counts = exchange.answer().counts();
        if (conversations != null) {
            counts = counts.of(!conversations.continues(exchange.request()));
            if (ending.status() == RequestStatus.OK) {
                conversations.answered(exchange.request(), exchange.answer().content());
            } else {
                conversations.failed(exchange.request());
            }
        }
        listener.counted(id, counts);
        CountCheck.Contradiction contradiction = exchange.answer().contradiction();
        if (contradiction != null) {
            events.countsContradicted(id, nanos, contradiction.counted(), contradiction.seen());
        }
        Chunk.Timings timings = exchange.answer().timings();
        if (timings != null) {
            events.reportedTimes(id, nanos, timings.prefillNanos(), timings.decodeNanos());
        }
        int cached = exchange.answer().cachedTokens();
        if (cached != Chunk.UNKNOWN) {
            events.cachedPrompt(id, nanos, cached);
        }
        if (ending.keyRefused() && !closing) {
            String key = settings.key().variable();
            events.unusable(nanos, ending.reason() + (ending.reason().endsWith(".") ? " " : ". ") + (key.isEmpty()
                    ? "Name the environment variable of a key with api_key_env." : "Check the key in " + key + "."));
        }
        // Failures while closing are consequences of closing.
        StreamEnd reported = closing && ending.status() == RequestStatus.FAILED
                ? new StreamEnd(RequestStatus.CANCELLED, CLOSED, true) : ending;
        listener.ended(id, nanos, reported.status(),
                reported.masked() ? reported.reason() : settings.key().removedFrom(reported.reason()));
    }

    /// The events of the connections.
    private final class ConnectionEvents implements Connections.ExchangeListener {
        @Override
        public void ready(Exchange exchange, Connection connection) {
            exchange.sentAs(dialect.version());
            if (exchange.waited() && exchange.attempts() == 1) {
                listener.departed(exchange.request().id(), clock.nanos());
            }
            connection.carry(exchange, path, headers, bodies.of(exchange.request(), dialect));
        }

        @Override
        public void responseEnded(Exchange exchange, StreamEnd ending, long nanos) {
            String refusal = ending.refusal();
            if (refusal != null && exchange.attempts() < MOST_ATTEMPTS && adapts(exchange, refusal)) {
                attempt(exchange, false);
            } else {
                end(exchange, ending, nanos);
            }
        }

        /// Whether another attempt in another form may succeed.
        private boolean adapts(Exchange exchange, String refusal) {
            if (exchange.dialectVersion() < dialect.version()) {
                return true;
            }
            return dialect.removeRefusedField(refusal).map(sentence -> {
                messages.report(sentence);
                return true;
            }).orElse(false);
        }

        @Override
        public void connectionLost(Exchange exchange, boolean stale, String cause) {
            if (stale && exchange.attempts() < MOST_ATTEMPTS) {
                messages.report("The server closes idle connections; a request was sent again on a new one.");
                attempt(exchange, true);
                return;
            }
            ResponseStream answer = exchange.answer();
            String when = answer.begun() ? " after " + answer.outputChunks() + " chunks" : " before the response";
            end(exchange, StreamEnd.failed("The connection to the server broke" + when + ": " + cause + "."),
                    clock.nanos());
        }

        @Override
        public void connectFailed(Exchange exchange, String cause) {
            end(exchange, StreamEnd.failed("No connection to " + settings.url().authority() + ": " + cause + "."),
                    clock.nanos());
        }

        @Override
        public void waiting(Exchange exchange) {
            exchange.waits();
            messages.report("All " + settings.options().connections()
                    + " connections were busy and requests waited, which is send lateness. Raise connections.");
        }
    }
}
