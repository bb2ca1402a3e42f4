package org.inferometer.target.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// The sending side of a scripted connection: whole replies, pieces of streams, and ways to break off.
final class ScriptedConnection {
    private final Socket socket;
    private final OutputStream out;
    private boolean over;

    ScriptedConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
    }

    /// Bytes as they are.
    ScriptedConnection raw(String text) throws IOException {
        return raw(text.getBytes(StandardCharsets.UTF_8));
    }

    ScriptedConnection raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /// A whole JSON reply.
    void json(int status, String body) throws IOException {
        reply(status, "application/json", body);
    }

    /// A whole reply.
    void reply(int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        raw("HTTP/1.1 " + status + " Said\r\nContent-Type: " + type + "\r\nContent-Length: " + bytes.length
                + "\r\n\r\n").raw(bytes);
    }

    /// The head of an event stream in pieces.
    ScriptedConnection stream() throws IOException {
        return raw(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    /// One piece of the stream, whatever it cuts.
    ScriptedConnection piece(String text) throws IOException {
        return piece(text.getBytes(StandardCharsets.UTF_8));
    }

    ScriptedConnection piece(byte[] bytes) throws IOException {
        byte[] head = (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[head.length + bytes.length + 2];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(bytes, 0, whole, head.length, bytes.length);
        whole[whole.length - 2] = '\r';
        whole[whole.length - 1] = '\n';
        return raw(whole);
    }

    /// One event.
    ScriptedConnection event(String json) throws IOException {
        return piece("data: " + json + "\n\n");
    }

    /// An event of a completions stream with that text.
    ScriptedConnection text(String text) throws IOException {
        return event(StreamJson.text(text));
    }

    /// Finish reason, usage and `[DONE]`, as vLLM ends.
    void finish(int promptTokens, int completionTokens) throws IOException {
        event(StreamJson.finish("length")).event(StreamJson.usage(promptTokens, completionTokens)).done();
    }

    /// `[DONE]` and the end of the body.
    void done() throws IOException {
        event("[DONE]").end();
    }

    /// The end of the body.
    void end() throws IOException {
        raw("0\r\n\r\n");
    }

    /// Closes the connection.
    void hangUp() throws IOException {
        over = true;
        socket.close();
    }

    /// Breaks the connection off so that the client sees a reset.
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        hangUp();
    }

    boolean isOver() {
        return over;
    }
}
