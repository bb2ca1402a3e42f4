package org.inferometer.target.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectDecoder;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The connections to one server: busy ones, idle ones, and exchanges that wait for one.
///
/// Used on the target's thread only.
final class Connections {
    private static final int CONNECT_MILLIS = 10_000;
    /// Below the keep-alive of five seconds of uvicorn, which vLLM and SGLang use.
    private static final long MOST_IDLE_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int HEADER_BYTES = 32 << 10;
    private static final int PIECE_BYTES = 64 << 10;

    private final EventLoop loop;
    private final Clock clock;
    private final TrustedServer server;
    private final int limit;
    private final ExchangeListener listener;
    private final Bootstrap bootstrap;
    private final byte[] scratch = new byte[PIECE_BYTES];
    private final Set<Connection> open = new HashSet<>();
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final Deque<Exchange> waiting = new ArrayDeque<>();
    private int connecting;

    /// Receives the events of exchanges, on the target's thread.
    interface ExchangeListener {
        /// A connection is ready to send the request.
        void ready(Exchange exchange, Connection connection);

        /// The response ended.
        void responseEnded(Exchange exchange, StreamEnd ending, long nanos);

        /// The connection broke.
        ///
        /// @param stale whether the server may have closed it before it saw the request
        void connectionLost(Exchange exchange, boolean stale, String cause);

        /// No connection could be opened.
        void connectFailed(Exchange exchange, String cause);

        /// All connections are busy and the exchange waits for one.
        void waiting(Exchange exchange);
    }

    Connections(EventLoop loop, Clock clock, TrustedServer server, int limit, ExchangeListener listener) {
        this.loop = loop;
        this.clock = clock;
        this.server = server;
        this.limit = limit;
        this.listener = listener;
        this.bootstrap = new Bootstrap().group(loop).channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
    }

    /// Leases an idle or new connection for an exchange.
    ///
    /// @param fresh true to require a new connection
    void lease(Exchange exchange, boolean fresh) {
        Connection reused = fresh ? null : reused();
        if (reused != null) {
            listener.ready(exchange, reused);
        } else if (open.size() + connecting < limit) {
            connect(exchange);
        } else {
            waiting.add(exchange);
            listener.waiting(exchange);
        }
    }

    /// Closes all.
    void close() {
        waiting.clear();
        new ArrayList<>(open).forEach(Connection::close);
    }

    void idle(Connection connection) {
        Exchange next = nextWaiting();
        if (next != null) {
            listener.ready(next, connection);
        } else {
            idle.push(connection);
            closeEldest();
        }
    }

    /// Connections that a burst left are never leased again while newer ones suffice. One at a time, since this thread is measured.
    private void closeEldest() {
        Connection eldest = idle.getLast();
        if (!eldest.isUsable(MOST_IDLE_NANOS)) {
            idle.removeLast();
            eldest.close();
        }
    }

    void closed(Connection connection) {
        open.remove(connection);
        idle.remove(connection);
        connectNextWaiting();
    }

    void responseEnded(Exchange exchange, StreamEnd ending, long nanos) {
        listener.responseEnded(exchange, ending, nanos);
    }

    void connectionLost(Exchange exchange, Connection connection, String cause) {
        listener.connectionLost(exchange, connection.mayHaveBeenStale(), cause);
    }

    private @Nullable Connection reused() {
        for (Connection newest = idle.poll(); newest != null; newest = idle.poll()) {
            if (newest.isUsable(MOST_IDLE_NANOS)) {
                return newest;
            }
            newest.close();
        }
        return null;
    }

    private void connect(Exchange exchange) {
        connecting++;
        Connection connection = new Connection(this, clock, scratch);
        bootstrap.clone().handler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(connection.stamp());
                server.engine().ifPresent(engine -> channel.pipeline().addLast(new SslHandler(engine)));
                channel.pipeline().addLast(codec(), connection);
            }
        }).connect(server.address()).addListener((ChannelFutureListener) connected -> {
            // Where not even a socket could be opened, the listener is called on a thread of no connection.
            if (loop.inEventLoop()) {
                connected(exchange, connection, connected.cause());
            } else {
                loop.execute(() -> connected(exchange, connection, connected.cause()));
            }
        });
    }

    private void connected(Exchange exchange, Connection connection, @Nullable Throwable fault) {
        connecting--;
        if (fault != null) {
            listener.connectFailed(exchange, NetworkFault.of(fault));
            connectNextWaiting();
        } else {
            open.add(connection);
            if (exchange.isOver()) {
                connection.close();
            } else {
                listener.ready(exchange, connection);
            }
        }
    }

    private void connectNextWaiting() {
        if (open.size() + connecting < limit) {
            Exchange next = nextWaiting();
            if (next != null) {
                connect(next);
            }
        }
    }

    private @Nullable Exchange nextWaiting() {
        Exchange next = waiting.poll();
        while (next != null && next.isOver()) {
            next = waiting.poll();
        }
        return next;
    }

    private static HttpClientCodec codec() {
        HttpDecoderConfig config =
                new HttpDecoderConfig().setMaxInitialLineLength(HttpObjectDecoder.DEFAULT_MAX_INITIAL_LINE_LENGTH)
                        .setMaxHeaderSize(HEADER_BYTES).setMaxChunkSize(PIECE_BYTES);
        return new HttpClientCodec(config, false, false);
    }

    /// The address of the server and its TLS.
    interface TrustedServer {
        /// The resolved address.
        InetSocketAddress address();

        /// A new TLS engine; empty for plain HTTP.
        Optional<SSLEngine> engine();
    }
}
