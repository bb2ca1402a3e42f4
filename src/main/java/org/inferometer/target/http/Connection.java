package org.inferometer.target.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// A connection to the server; carries one exchange at a time and is reused.
///
/// Used on the target's thread only.
final class Connection extends SimpleChannelInboundHandler<HttpObject> {
    /// Time for the end of a body after `[DONE]` before the connection is closed.
    private static final long DRAIN_MILLIS = 1000;

    private static final int SETTINGS = 4;
    private static final String ONLY_HTTP_1 = "Requests are sent in HTTP/1.1; turn it on at the server.";

    private final Connections owner;
    private final Clock clock;
    private final byte[] scratch;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Exchange exchange;
    private @Nullable Future<?> draining;
    private boolean inReply;
    private boolean interim;
    private boolean keepAlive;
    /// The first bytes of the response, of which `firstBytes` are there.
    private final byte[] first = new byte[9];
    private int firstBytes;
    private long readNanos;
    private long idleSinceNanos;
    private int exchanges;

    /// @param scratch buffer for bytes outside the heap; shared by the connections of one thread
    Connection(Connections owner, Clock clock, byte[] scratch) {
        this.owner = owner;
        this.clock = clock;
        this.scratch = scratch;
    }

    /// Takes the time of received bytes before TLS and HTTP decode them.
    ChannelInboundHandlerAdapter stamp() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                readNanos = clock.nanos();
                if (firstBytes < first.length && message instanceof ByteBuf bytes) {
                    int more = Math.min(first.length - firstBytes, bytes.readableBytes());
                    bytes.getBytes(bytes.readerIndex(), first, firstBytes, more);
                    firstBytes += more;
                }
                ctx.fireChannelRead(message);
            }
        };
    }

    /// Whether the response begins as servers of HTTP/2 do: with a frame of settings for stream 0, or with that version.
    private boolean isHttp2() {
        String text = new String(first, StandardCharsets.US_ASCII);
        boolean settings = first[3] == SETTINGS && first[5] == 0 && first[6] == 0 && first[7] == 0 && first[8] == 0;
        return firstBytes == first.length && (settings || text.startsWith("HTTP/2") || text.startsWith("PRI *"));
    }

    /// Sends a request; the response goes to the exchange.
    void carry(Exchange next, String path, HttpHeaders headers, byte[] body) {
        exchange = next;
        exchanges++;
        inReply = false;
        firstBytes = 0;
        next.carriedBy(this);
        var request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, path, Unpooled.wrappedBuffer(body));
        request.headers().set(headers).set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        channel().writeAndFlush(request).addListener((ChannelFutureListener) written -> {
            if (!written.isSuccess()) {
                connectionLost(next, NetworkFault.of(written.cause()));
            }
        });
    }

    /// Closes the connection without notifying its exchange.
    void close() {
        exchange = null;
        ChannelHandlerContext at = context;
        if (at != null) {
            at.close();
        }
    }

    /// Whether it is open and has been idle for less than the server's keep-alive time.
    boolean isUsable(long mostIdleNanos) {
        return channel().isActive() && clock.nanos() - idleSinceNanos < mostIdleNanos;
    }

    /// Whether the server may have closed the reused connection as the request went out: no byte came back.
    boolean mayHaveBeenStale() {
        return exchanges > 1 && firstBytes == 0;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (message.decoderResult().isFailure()) {
            broken(NetworkFault.of(message.decoderResult().cause()));
            return;
        }
        if (message instanceof HttpResponse response) {
            head(response);
        }
        if (message instanceof HttpContent content) {
            body(content.content());
        }
        if (message instanceof LastHttpContent) {
            end();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        owner.closed(this);
        Exchange carried = exchange;
        if (carried != null) {
            connectionLost(carried, "connection closed");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
        Exchange carried = exchange;
        if (carried != null) {
            connectionLost(carried, NetworkFault.of(thrown));
        }
        ctx.close();
    }

    private void head(HttpResponse response) {
        int status = response.status().code();
        if (status == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            fail("The server switched to another protocol (101), unasked. " + ONLY_HTTP_1);
            return;
        }
        interim = status < 200;
        if (interim) {
            return;
        }
        inReply = true;
        keepAlive = HttpUtil.isKeepAlive(response);
        Exchange carried = exchange;
        if (carried != null) {
            HttpHeaders headers = response.headers();
            ResponseHead head = new ResponseHead(status, headers.get(HttpHeaderNames.CONTENT_TYPE, ""),
                    headers.get(HttpHeaderNames.CONTENT_ENCODING, ""), headers.get(HttpHeaderNames.LOCATION, ""));
            settle(carried, carried.answer().head(head));
        } else {
            close();
        }
    }

    private void body(ByteBuf content) {
        while (content.isReadable()) {
            Exchange carried = exchange;
            if (carried == null || interim) {
                return;
            }
            int length = Math.min(content.readableBytes(), scratch.length);
            content.readBytes(scratch, 0, length);
            settle(carried, carried.answer().body(scratch, 0, length, readNanos));
        }
    }

    private void end() {
        if (interim) {
            interim = false;
            return;
        }
        Exchange carried = exchange;
        inReply = false;
        Future<?> drained = draining;
        if (drained != null) {
            drained.cancel(false);
            draining = null;
        }
        if (carried != null) {
            settle(carried, carried.answer().end());
        } else {
            rest();
        }
    }

    /// Reuses the connection if the response was read whole, drains it briefly after a good end, and closes it otherwise.
    private void settle(Exchange carried, @Nullable StreamEnd ending) {
        if (ending == null) {
            return;
        }
        exchange = null;
        boolean good = ending.equals(StreamEnd.OK);
        if (inReply && good && keepAlive) {
            draining = channel().eventLoop().schedule(this::close, DRAIN_MILLIS, TimeUnit.MILLISECONDS);
        } else if (inReply) {
            close();
        } else {
            rest();
        }
        owner.responseEnded(carried, ending, readNanos);
    }

    private void rest() {
        if (keepAlive && channel().isActive()) {
            idleSinceNanos = clock.nanos();
            owner.idle(this);
        } else {
            close();
        }
    }

    private void broken(String cause) {
        fail(isHttp2() ? "The server answers in HTTP/2. " + ONLY_HTTP_1
                : "The response is not valid HTTP: " + cause + ".");
    }

    private void fail(String sentence) {
        Exchange carried = exchange;
        close();
        if (carried != null) {
            owner.responseEnded(carried, StreamEnd.failed(sentence), readNanos);
        }
    }

    private void connectionLost(Exchange carried, String cause) {
        if (exchange == carried && isHttp2()) {
            broken(cause);
        } else if (exchange == carried) {
            close();
            owner.connectionLost(carried, this, cause);
        }
    }

    private Channel channel() {
        return Objects.requireNonNull(context).channel();
    }
}
