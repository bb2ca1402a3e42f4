package org.inferometer.target.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.target.TargetException;
import org.jspecify.annotations.Nullable;

/// A minimal streaming server on loopback, to measure the limit of the client: in each turn every stream gets one chunk
/// of one token, written by itself, like a server's decode step.
///
/// Runs on a thread of its own until closed.
public final class EchoServer implements AutoCloseable {
    /// The listed model.
    public static final String MODEL = "echo";
    private static final int BACKLOG = 16_384;
    private static final int MOST_BODY = 8 << 20;
    private static final int MOST_TOKENS = 1 << 20;
    private static final int STANDARD_TOKENS = 16;
    private static final Pattern ASKED = Pattern.compile("\"max_tokens\"\\s*:\\s*(\\d{1,7})");
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String CHUNK =
            "{\"id\":\"cmpl-0123456789abcdef\",\"object\":\"text_completion\",\"created\":1767225600,\"model\":\"echo\","
                    + "\"choices\":[{\"index\":0,\"text\":\" word\",\"logprobs\":null,\"finish_reason\":null,\"stop_reason\":null}]}";

    private final MultiThreadIoEventLoopGroup threads = new MultiThreadIoEventLoopGroup(1,
            new DefaultThreadFactory("echo-server", true), NioIoHandler.newFactory());
    private final EventLoop loop = threads.next();
    private final long turnNanos;
    private final List<Stream> streams = new ArrayList<>();
    private final ByteBuf head = shared(HEAD);
    private final ByteBuf chunk = shared(piece("data: " + CHUNK + "\n\n"));
    private int port;
    private boolean turning;

    private EchoServer(long turnNanos) {
        this.turnNanos = turnNanos;
    }

    /// Starts on a free loopback port.
    ///
    /// @param turnNanos interval of turns; 0 for no pause
    /// @throws TargetException if no port is free
    public static EchoServer start(long turnNanos) throws TargetException {
        EchoServer server = new EchoServer(turnNanos);
        ServerBootstrap bootstrap = new ServerBootstrap().group(server.threads).channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG).childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpRequestDecoder(), new HttpObjectAggregator(MOST_BODY),
                                server.new Stream());
                    }
                });
        var bound = bootstrap.bind(InetAddress.getLoopbackAddress(), 0).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            server.close();
            throw new TargetException("The echo server found no free port: " + NetworkFault.of(bound.cause()) + ".",
                    bound.cause());
        }
        server.port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
        return server;
    }

    /// Its base address.
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        threads.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private void join(Stream stream) {
        streams.add(stream);
        if (!turning) {
            turning = true;
            nextTurn();
        }
    }

    private void nextTurn() {
        if (turnNanos > 0) {
            loop.schedule(this::turn, turnNanos, TimeUnit.NANOSECONDS);
        } else {
            loop.execute(this::turn);
        }
    }

    private void turn() {
        streams.removeIf(stream -> !stream.step());
        turning = !streams.isEmpty();
        if (turning) {
            nextTurn();
        }
    }

    private static String piece(String data) {
        return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
    }

    private static ByteBuf shared(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.length).writeBytes(bytes));
    }

    /// A connection and its stream.
    private final class Stream extends SimpleChannelInboundHandler<FullHttpRequest> {
        private @Nullable Channel channel;
        private int tokens;
        private int left;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            channel = ctx.channel();
            if (request.method().equals(HttpMethod.POST)) {
                Matcher asked = ASKED.matcher(request.content().toString(StandardCharsets.US_ASCII));
                tokens = Math.clamp(asked.find() ? Integer.parseInt(asked.group(1)) : STANDARD_TOKENS, 1, MOST_TOKENS);
                left = tokens;
                ctx.write(head.duplicate());
                join(this);
            } else {
                String body = "{\"object\":\"list\",\"data\":[{\"id\":\"" + MODEL + "\",\"object\":\"model\"}]}";
                ctx.writeAndFlush(
                        Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                                + body.length() + "\r\n\r\n" + body, StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
            // Clients disconnect when they are closed.
            ctx.close();
        }

        /// Sends the next chunk if the client keeps up; false at the end.
        private boolean step() {
            Channel to = channel;
            if (to == null || !to.isActive()) {
                return false;
            }
            if (!to.isWritable()) {
                return true;
            }
            left--;
            if (left > 0) {
                to.writeAndFlush(chunk.duplicate());
                return true;
            }
            String end = "data: " + CHUNK.replace("\"finish_reason\":null", "\"finish_reason\":\"length\"")
                    + "\n\ndata: {\"choices\":[],\"usage\":" + "{\"prompt_tokens\":1,\"completion_tokens\":" + tokens
                    + ",\"total_tokens\":" + (tokens + 1) + "}}\n\ndata: [DONE]\n\n";
            to.writeAndFlush(Unpooled.copiedBuffer(piece(end) + "0\r\n\r\n", StandardCharsets.US_ASCII));
            return false;
        }
    }
}
