package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TlsTest {
    private static final char[] PASSWORD = "loopback".toCharArray();

    @TempDir
    private static Path folder;

    private static Path certificate;
    private static SSLContext context;

    @BeforeAll
    static void makeACertificateForLocalhost() throws Exception {
        Path store = folder.resolve("store.p12");
        certificate = folder.resolve("server.pem");
        keytool("-genkeypair", "-alias", "s", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost",
                "-keystore", store.toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        String base64 = Base64.getMimeEncoder().encodeToString(keys.getCertificate("s").getEncoded());
        Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
    }

    @Test
    void aCertificateOfTheFileIsBelievedForItsNameAlone() throws Exception {
        try (ScriptedServer server = server()) {
            assertAnswers("https://localhost:" + server.port(), "ca_file=" + certificate);
            assertThatThrownBy(() -> Servers.open("https://127.0.0.1:" + server.port(), new RecordingListener(0),
                    "ca_file=" + certificate, Map.of())).isInstanceOf(TargetException.class)
                    .hasMessageContaining("certificate not trusted (set ca_file=PEM or insecure=true)");
        }
    }

    @Test
    void unknownCertificateIsRefused() throws Exception {
        try (ScriptedServer server = server()) {
            String url = "https://127.0.0.1:" + server.port();
            assertThatThrownBy(() -> Servers.open(url, new RecordingListener(0), "", Map.of()))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("No server at " + url
                            + ": certificate not trusted (set ca_file=PEM or insecure=true). Start the server,"
                            + " or give its address with url.");
            assertThat(assertAnswers(url, "insecure=true").said)
                    .containsExactly("insecure=true: the server's certificate is not checked.");
        }
    }

    @Test
    void aFileWithoutCertificatesIsSaid() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "hello");
        try (ScriptedServer server = server()) {
            for (Path file : new Path[]{empty, folder.resolve("absent.pem")}) {
                assertThatThrownBy(() -> Servers.open("https://localhost:" + server.port(), new RecordingListener(0),
                        "ca_file=" + file, Map.of())).isInstanceOf(TargetException.class)
                        .hasMessageStartingWith(file + ": ");
            }
        }
    }

    private static RecordingListener assertAnswers(String url, String options) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (Target target = Servers.open(url, account, "metrics=off," + options, Map.of())) {
            target.send(Servers.request(0, 2, 2));
            account.await();
        }
        assertThat(account.end(0)).isEqualTo(new RecordingListener.End(RequestStatus.OK, ""));
        assertThat(account.arrivals(0)).containsExactly(1, 1);
        return account;
    }

    private static ScriptedServer server() throws Exception {
        SSLServerSocket socket = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 50,
                InetAddress.getLoopbackAddress());
        return ScriptedServer.start(socket, (asked, wire) -> wire.stream().text(" a").text(" b").finish(2, 2));
    }

    private static void keytool(String... arguments) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        builder.command().addAll(List.of(arguments));
        builder.command().addAll(List.of("-storepass", new String(PASSWORD), "-storetype", "PKCS12"));
        Process process = builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aPipeInPlaceOfCertificatesIsRefusedAtOnce(@TempDir Path place) throws Exception {
        Path pipe = place.resolve("ca.pem");
        new ProcessBuilder("mkfifo", pipe.toString()).start().onExit().get();
        assertThatThrownBy(
                () -> Servers.open("http://127.0.0.1:9", new RecordingListener(0), "ca_file=" + pipe, Map.of()))
                .isInstanceOf(TargetException.class)
                .hasMessage(pipe + ": This is not a regular file. ca_file takes a PEM file of certificates.");
    }
}
