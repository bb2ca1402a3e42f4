package org.inferometer.target.http;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.inferometer.target.TargetException;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// The accepted certificates of a server.
record TlsTrust(SSLContext context, boolean anyName) {
    private static final long MOST_FILE_BYTES = 1 << 20;

    /// The system's certificates, those of a file, or any.
    ///
    /// @throws TargetException if the file cannot be read
    static TlsTrust of(HttpOptions options) throws TargetException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers(options), null);
            return new TlsTrust(context, options.insecure());
        } catch (GeneralSecurityException e) {
            throw new TargetException("TLS is not available: " + OneLine.of(String.valueOf(e.getMessage())) + ".", e);
        }
    }

    /// A client engine for a server whose certificate must have this name.
    SSLEngine engine(String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        if (!anyName) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
        }
        return engine;
    }

    private static TrustManager @Nullable [] managers(HttpOptions options)
            throws TargetException, GeneralSecurityException {
        if (options.insecure()) {
            return InsecureTrustManagerFactory.INSTANCE.getTrustManagers();
        }
        if (options.caFile().isEmpty()) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            Path file = Path.of(options.caFile());
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new TargetException(
                        file + ": This is not a regular file. ca_file takes a PEM file of certificates.");
            }
            if (Files.size(file) > MOST_FILE_BYTES) {
                throw new TargetException(
                        file + ": The file is larger than 1 MiB. ca_file takes a PEM file of certificates.");
            }
            Collection<? extends Certificate> certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
            if (certificates.isEmpty()) {
                throw new TargetException(
                        file + ": The file has no certificate. ca_file takes a PEM file of certificates.");
            }
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates) {
                store.setCertificateEntry(Integer.toString(number++), certificate);
            }
        } catch (IOException | InvalidPathException e) {
            throw new TargetException(
                    options.caFile() + ": The file cannot be read. ca_file takes a PEM file of certificates.", e);
        } catch (CertificateException e) {
            throw new TargetException(options.caFile() + ": The file has no certificates in PEM form.", e);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
