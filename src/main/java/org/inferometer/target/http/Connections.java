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

/// The connections to one server: those at work, those at rest, and the exchanges that wait for one.
///
/// Lives on the target's thread alone.
final class Connections {
    private static final int CONNECT_MILLIS = 10_000;
    /// Below the five seconds after which uvicorn, under vLLM and SGLang, closes what is idle.
    private static final long MOST_IDLE_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int HEADER_BYTES = 32 << 10;
    private static final int PIECE_BYTES = 64 << 10;

    private final EventLoop loop;
    private final Clock clock;
    private final TrustedServer server;
    private final int limit;
    private final Carrier carrier;
    private final Bootstrap bootstrap;
    private final byte[] scratch = new byte[PIECE_BYTES];
    private final Set<Connection> open = new HashSet<>();
    private final Deque<Connection> resting = new ArrayDeque<>();
    private final Deque<Exchange> waiting = new ArrayDeque<>();
    private int connecting;

    /// What happens to exchanges; called on the target's thread.
    interface Carrier {
        /// A connection is there: send the request on it.
        void ready(Exchange exchange, Connection connection);

        /// The answer ended.
        void settled(Exchange exchange, StreamEnd ending, long nanos);

        /// The connection broke.
        ///
        /// @param stale whether the server may have closed it before it saw the request
        void lost(Exchange exchange, boolean stale, String how);

        /// No connection came about.
        void unreachable(Exchange exchange, String how);

        /// All connections are taken and the exchange waits for one.
        void waits();
    }

    Connections(EventLoop loop, Clock clock, TrustedServer server, int limit, Carrier carrier) {
        this.loop = loop;
        this.clock = clock;
        this.server = server;
        this.limit = limit;
        this.carrier = carrier;
        this.bootstrap = new Bootstrap().group(loop).channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
    }

    /// Finds or makes a connection for an exchange.
    ///
    /// @param fresh whether one that rested will not do
    void lease(Exchange exchange, boolean fresh) {
        Connection rested = fresh ? null : rested();
        if (rested != null) {
            carrier.ready(exchange, rested);
        } else if (open.size() + connecting < limit) {
            connect(exchange);
        } else {
            waiting.add(exchange);
            carrier.waits();
        }
    }

    /// Closes all.
    void close() {
        waiting.clear();
        new ArrayList<>(open).forEach(Connection::close);
    }

    void rests(Connection connection) {
        Exchange next = nextWaiting();
        if (next != null) {
            carrier.ready(next, connection);
        } else {
            resting.push(connection);
        }
    }

    void gone(Connection connection) {
        open.remove(connection);
        resting.remove(connection);
        serveWaiting();
    }

    void settled(Exchange exchange, StreamEnd ending, long nanos) {
        carrier.settled(exchange, ending, nanos);
    }

    void lost(Exchange exchange, Connection connection, String how) {
        carrier.lost(exchange, connection.mayHaveBeenStale(), how);
    }

    private @Nullable Connection rested() {
        for (Connection newest = resting.poll(); newest != null; newest = resting.poll()) {
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
            carrier.unreachable(exchange, NetworkFault.of(fault));
            serveWaiting();
        } else {
            open.add(connection);
            if (exchange.isOver()) {
                connection.close();
            } else {
                carrier.ready(exchange, connection);
            }
        }
    }

    private void serveWaiting() {
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

    /// Where the server is, and how its TLS is made.
    interface TrustedServer {
        /// Where to connect, resolved.
        InetSocketAddress address();

        /// A fresh TLS engine; empty for plain HTTP.
        Optional<SSLEngine> engine();
    }
}
