package org.inferometer.target.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.ServerIdentity;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;

/// Checks a server step by step: address, models, version, gauges, and one short request. Stops at the first failure, since the rest would
/// fail too.
final class HttpProbe {
    private static final int SHOWN_MODELS = 8;
    private static final long MOST_SECONDS = 30;

    private final HttpSettings settings;
    private final Duration timeout;
    private final Opening opening;
    private final Clock clock = new SystemClock();
    private final List<ProbeCheck> checks = new ArrayList<>();

    /// Connects to the server as a run does.
    @FunctionalInterface
    interface Opening {
        Target open(TargetSetup setup) throws TargetException;
    }

    /// @param timeout of each step but the request
    HttpProbe(HttpSettings settings, Duration timeout, Opening opening) {
        this.settings = settings;
        this.timeout = timeout;
        this.opening = opening;
    }

    /// Runs the checks on the calling thread.
    List<ProbeCheck> run() throws InterruptedException {
        try {
            TlsTrust trust = TlsTrust.of(settings.options());
            try (ControlClient client = new ControlClient(trust, settings, timeout)) {
                models(client);
            }
            request();
        } catch (TargetException e) {
            checks.add(ProbeCheck.failed(checks.isEmpty() ? "models" : "request",
                    settings.key().removedFrom(String.valueOf(e.getMessage()))));
        }
        return List.copyOf(checks);
    }

    private void models(ControlClient client) throws TargetException, InterruptedException {
        TrialRequest messages = new TrialRequest(clock);
        ModelList models = ModelList.ask(settings, client, new DistinctMessages(clock, messages));
        String listed = String.join(", ", models.models().stream().limit(SHOWN_MODELS).toList());
        String model = models.choose(settings.usualModel(), settings.key());
        add(ProbeCheck.passed("models",
                (models.models().isEmpty() ? "None listed" : listed) + "; requests ask for " + model + "."));
        ServerIdentity identity = ServerProbe.of(settings, client, models, model);
        String version = (identity.software() + " " + identity.version()).strip();
        add(version.isEmpty() ? ProbeCheck.absent("version", "The server does not name itself.")
                : ProbeCheck.passed("version", version + "."));
        List<GaugeSampler.Source> sources = settings.sources(models);
        if (sources.stream().allMatch(source -> source.gpus() != null)) {
            add(ProbeCheck.absent("gauges", "Not read: metrics=off."));
        }
        for (GaugeSampler.Source source : sources) {
            gauges(client, source);
        }
    }

    private void gauges(ControlClient client, GaugeSampler.Source source) throws InterruptedException {
        String name = source.gpus() == null ? "gauges" : "GPUs";
        URI asked = source.address();
        try {
            int known = source.read(client).gauges().size();
            add(known > 0
                    ? ProbeCheck.passed(name, (known + " known gauges at " + asked + ". " + source.counted()).strip())
                    : ProbeCheck.absent(name, "None known at " + asked + (source.gpus() == null
                            ? ". Queues and KV cache of the server stay unknown; give their address with metrics."
                            : ". Give the address of a DCGM exporter, and existing GPUs with gpus.")));
        } catch (IOException e) {
            add(ProbeCheck.absent(name, "No answer from " + asked + ": " + NetworkFault.of(e) + "."));
        }
    }

    private void request() throws TargetException, InterruptedException {
        TrialRequest trial = new TrialRequest(clock);
        try (Target target = opening.open(new TargetSetup(clock, trial, trial, 0))) {
            trial.send(target, MOST_SECONDS).forEach(this::add);
        }
    }

    private void add(ProbeCheck check) {
        checks.add(new ProbeCheck(check.name(), check.outcome(), settings.key().removedFrom(check.sentence())));
    }
}
