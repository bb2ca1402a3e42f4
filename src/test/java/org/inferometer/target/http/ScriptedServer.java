package org.inferometer.target.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A server on loopback that answers what a test wrote, byte for byte. It takes few connections, bounded requests, and stops by itself.
final class ScriptedServer implements AutoCloseable {
    static final String MODELS =
            "{\"object\":\"list\",\"data\":[{\"id\":\"tiny\",\"object\":\"model\",\"owned_by\":\"vllm\"}]}";
    private static final int MOST_CONNECTIONS = 400;
    private static final int MOST_BODY = 4 << 20;
    private static final int PATIENCE_MILLIS = 30_000;

    private final ServerSocket socket;
    private final Script posts;
    private final Map<String, Script> gets = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final Thread acceptor = Thread.ofVirtual().unstarted(this::acceptAll);

    /// What a client asked.
    record Heard(String method, String path, Map<String, String> headers, String body, int connection) {}

    /// Answers one request.
    interface Script {
        void answer(Heard request, ScriptedConnection wire) throws IOException, InterruptedException;
    }

    private ScriptedServer(ServerSocket socket, Script posts) {
        this.socket = socket;
        this.posts = posts;
        gets.put("/v1/models", (request, wire) -> wire.json(200, MODELS));
    }

    static ScriptedServer start(Script posts) throws IOException {
        return start(new ServerSocket(0, MOST_CONNECTIONS, InetAddress.getLoopbackAddress()), posts);
    }

    static ScriptedServer start(ServerSocket socket, Script posts) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        ScriptedServer server = new ScriptedServer(socket, posts);
        server.acceptor.start();
        return server;
    }

    ScriptedServer get(String path, Script script) {
        gets.put(path, script);
        return this;
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    int port() {
        return socket.getLocalPort();
    }

    /// Returns once the client has closed every connection that was accepted.
    void awaitNoConnections() throws InterruptedException {
        awaitConnections(0);
    }

    /// Returns once the client has closed all accepted connections except so many.
    void awaitConnections(int most) throws InterruptedException {
        synchronized (open) {
            while (open.size() > most) {
                open.wait();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            // The port is free only once the thread that waits at it has gone.
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Socket connection : open) {
            connection.close();
        }
    }

    private void acceptAll() {
        try {
            for (int i = 0; i < MOST_CONNECTIONS; i++) {
                Socket connection = socket.accept();
                connection.setTcpNoDelay(true);
                connection.setSoTimeout(PATIENCE_MILLIS);
                open.add(connection);
                int number = i;
                Thread.ofVirtual().start(() -> serve(connection, number));
            }
        } catch (IOException e) {
            // Closed, or nobody came for too long.
        }
    }

    private void serve(Socket connection, int number) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            for (Heard request = read(in, number); request != null; request = read(in, number)) {
                if (request.method.equals("POST")) {
                    heard.add(request);
                }
                ScriptedConnection wire = new ScriptedConnection(connection);
                (request.method.equals("POST") ? posts
                        : gets.getOrDefault(request.path, (asked, out) -> out.json(404, "{}"))).answer(request, wire);
                if (wire.isOver()) {
                    return;
                }
            }
        } catch (SocketTimeoutException e) {
            // The client hung.
        } catch (IOException e) {
            // The client went away, as tests do.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (open) {
                open.remove(connection);
                open.notifyAll();
            }
        }
    }

    private static @Nullable Heard read(InputStream in, int number) throws IOException {
        String request = line(in);
        if (request == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        int length = Math.min(MOST_BODY, Integer.parseInt(headers.getOrDefault("content-length", "0")));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String[] words = request.split(" ");
        return new Heard(words[0], words[1], headers, body, number);
    }

    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() > 16_384) {
                return null;
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
