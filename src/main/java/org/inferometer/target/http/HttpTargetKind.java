package org.inferometer.target.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.Access;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.record.ServerIdentity;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.target.WordTokenizer;
import org.inferometer.units.OneLine;

/// OpenAI-compatible servers as targets: vLLM, trtllm-serve, SGLang, llama-server. Thread-safe.
public final class HttpTargetKind implements TargetKind {
    private static final Duration PREFLIGHT_TIMEOUT = Duration.ofSeconds(5);

    private final Function<String, Optional<String>> environment;
    private final Duration preflightTimeout;

    /// @param environment value of an environment variable; empty if it is not set
    public HttpTargetKind(Function<String, Optional<String>> environment) {
        this(environment, PREFLIGHT_TIMEOUT);
    }

    HttpTargetKind(Function<String, Optional<String>> environment, Duration preflightTimeout) {
        this.environment = environment;
        this.preflightTimeout = preflightTimeout;
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String label() {
        return "Server (OpenAI API)";
    }

    @Override
    public String help() {
        return "A server with an OpenAI-compatible API: vLLM, trtllm-serve, SGLang, llama-server.";
    }

    @Override
    public List<OptionDescription> options() {
        return apiOptions();
    }

    /// Whether a user may add this to requests: `header.NAME`, `query.NAME`, `body.PATH`, `mix.NAME`.
    public static boolean isAddition(String option) {
        return RequestExtras.isExtra(option);
    }

    /// The options of a server's API.
    public static List<OptionDescription> apiOptions() {
        return OptionRecords.describe(HttpOptions.class);
    }

    @Override
    public boolean endsAnswersEarly() {
        return true;
    }

    @Override
    public boolean givesSeveralAnswers() {
        return true;
    }

    @Override
    public List<Access> accesses(Selection selection) {
        try {
            return HttpAccesses.of(selection);
        } catch (OptionException e) {
            return List.of();
        }
    }

    @Override
    public List<ProbeCheck> probe(Selection selection) throws OptionException, InterruptedException {
        HttpSettings settings = HttpSettings.read(selection, environment);
        return new HttpProbe(settings, preflightTimeout, setup -> connect(settings, setup)).run();
    }

    @Override
    public ConfiguredTarget configure(Selection selection) throws OptionException {
        HttpSettings settings = HttpSettings.read(selection, environment);
        return new ConfiguredTarget() {
            @Override
            public String model() {
                return settings.label();
            }

            @Override
            public List<String> variables() {
                return settings.variables();
            }

            @Override
            public String withoutSecrets(String text) {
                return settings.key().maskedIn(text);
            }

            @Override
            public Tokenizer tokenizer() {
                return new WordTokenizer(settings.options().vocabulary());
            }

            @Override
            public Target open(TargetSetup setup) throws TargetException {
                return connect(settings, setup);
            }
        };
    }

    private Target connect(HttpSettings settings, TargetSetup setup) throws TargetException {
        DistinctMessages messages = new DistinctMessages(setup.clock(), setup.events());
        TlsTrust trust = TlsTrust.of(settings.options());
        ReachedServer server = new ReachedServer(reach(settings.url()), settings.url(), trust);
        ModelList models;
        String model;
        ServerIdentity identity;
        try (ControlClient client = new ControlClient(trust, settings, preflightTimeout)) {
            models = ModelList.ask(settings, client, messages);
            model = models.choose(settings.usualModel(), settings.key());
            for (RequestMix.Variant kind : settings.extras().mix()) {
                models.choose(kind.model().isEmpty() ? model : kind.model(), settings.key());
            }
            identity = ServerProbe.of(settings, client, models, model);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("Connecting to " + settings.url() + " was interrupted.", e);
        }
        int asked = settings.options().vocabulary();
        boolean sendsIds = !settings.chat() && settings.options().prompt() != HttpOptions.PromptForm.TEXT;
        int vocabulary = sendsIds ? models.vocabulary(model, asked) : asked;
        if (vocabulary < asked) {
            messages.report(settings.key().removedFrom(model) + " knows " + vocabulary + " tokens, fewer than " + asked
                    + ": prompts have its ids only.");
        }
        warn(settings, messages);
        List<GaugeSampler> samplers =
                setup.sampleEveryMillis() <= 0 ? List.of()
                        : settings.sources(models).stream()
                                .map(source -> new GaugeSampler(source,
                                        new ControlClient(trust, settings, preflightTimeout), setup.sampleEveryMillis(),
                                        setup.clock(), setup.events(), messages))
                                .toList();
        HttpTarget target = new HttpTarget(settings, identity, model, vocabulary, server, setup, messages,
                () -> samplers.forEach(GaugeSampler::close));
        samplers.forEach(GaugeSampler::start);
        return target;
    }

    /// The first address of the host that accepts a connection; names are not resolved while measuring.
    private InetSocketAddress reach(ServerUrl url) throws TargetException {
        IOException broken = new UnknownHostException(url.host());
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(url.bareHost());
        } catch (UnknownHostException e) {
            throw unreached(url, e);
        }
        for (InetAddress address : addresses) {
            InetSocketAddress candidate = new InetSocketAddress(address, url.port());
            try (Socket socket = new Socket()) {
                socket.connect(candidate, (int) preflightTimeout.toMillis());
                return candidate;
            } catch (IOException e) {
                broken = e;
            }
        }
        throw unreached(url, broken);
    }

    private static TargetException unreached(ServerUrl url, IOException broken) {
        return new TargetException(ControlClient.unreached(url, NetworkFault.of(broken)), broken);
    }

    private void warn(HttpSettings settings, DistinctMessages messages) {
        if (settings.options().insecure()) {
            messages.report("insecure=true: the server's certificate is not checked.");
        }
        if (!settings.url().tls() && settings.key().hidesAny()) {
            String what =
                    settings.key().variable().isEmpty() ? "What env: names" : "The key in " + settings.key().variable();
            messages.report(what + " is sent unencrypted. Use https on networks that you do not trust.");
        }
        environment.apply(HttpSettings.GPU_MEMORY_VARIABLE).filter(value -> !value.isBlank())
                .ifPresent(value -> messages.report("GPU_MEMORY_UTIL=" + OneLine.of(value)
                        + " is a start option of the server; it is recorded and not sent."));
    }

    /// A server that has answered.
    private record ReachedServer(InetSocketAddress address, ServerUrl url,
            TlsTrust trust) implements Connections.TrustedServer {
        @Override
        public Optional<SSLEngine> engine() {
            return url.tls() ? Optional.of(trust.engine(url.bareHost(), url.port())) : Optional.empty();
        }
    }
}
