package org.inferometer.target.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.jspecify.annotations.Nullable;

/// Server options completed from the environment.
///
/// @param url of the server
/// @param model requested; empty for the server's only one
/// @param metricsUrl of its gauges; absent if they are not read
/// @param gpuUrl of the exporter of its GPUs; absent if there is none
/// @param extras what the user adds to requests
/// @param variables names of the environment variables that were used
record HttpSettings(HttpOptions options, ServerUrl url, String model, boolean chat, ApiKey key, RequestExtras extras,
        @Nullable URI metricsUrl, @Nullable URI gpuUrl, List<String> variables) {
    private static final String MODEL_VARIABLE = "LLM_MODEL";
    private static final String ENDPOINT_VARIABLE = "VLLM_ENDPOINT";
    private static final String HOST_VARIABLE = "VLLM_HOST";
    private static final String PORT_VARIABLE = "VLLM_PORT";
    /// A start option of the server; it is recorded and not sent.
    static final String GPU_MEMORY_VARIABLE = "GPU_MEMORY_UTIL";
    private static final String STANDARD_PORT = "8000";
    private static final Pattern GPUS = Pattern.compile("(\\d{1,4}(\\+\\d{1,4}){0,255})?");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]{0,127}");

    /// Reads a selection.
    ///
    /// @param environment value of a variable; absent if it is not set
    /// @throws OptionException with all faults, without secrets
    static HttpSettings read(Selection selection, Function<String, Optional<String>> environment)
            throws OptionException {
        Set<String> used = new LinkedHashSet<>();
        return read(selection, variable -> given(environment, variable).map(value -> {
            used.add(variable);
            return value;
        }), used);
    }

    private static HttpSettings read(Selection selection, Function<String, Optional<String>> environment,
            Set<String> used) throws OptionException {
        HttpOptions options = OptionRecords.read(HttpOptions.class, RequestExtras.without(selection));
        List<String> faults = new ArrayList<>();
        ServerUrl url = null;
        URI metrics = null;
        URI gpus = null;
        try {
            url = ServerUrl.parse(address(options, environment));
            metrics = metrics(options.metrics(), url);
            gpus = options.gpuMetrics().isEmpty() ? null : metrics(options.gpuMetrics(), url);
        } catch (IllegalArgumentException e) {
            faults.add(selection.name() + ": " + e.getMessage());
        }
        ApiKey key = ApiKey.NONE;
        try {
            key = key(options.apiKeyEnv(), environment);
        } catch (IllegalArgumentException e) {
            faults.add(selection.name() + ": " + e.getMessage());
        }
        RequestExtras extras = RequestExtras.read(selection, environment, faults);
        if (!GPUS.matcher(options.gpus()).matches() || (!options.gpus().isEmpty() && gpus == null)) {
            faults.add(selection.name() + ": gpus takes indices of the GPUs at gpu_metrics, such as 0+1.");
        }
        if (options.insecure() && !options.caFile().isEmpty()) {
            faults.add(selection.name()
                    + ": insecure=true accepts any certificate and excludes ca_file. Give one of the two.");
        }
        boolean chat = options.api() == HttpOptions.Api.CHAT
                || (options.api() == HttpOptions.Api.AUTO && url != null && url.endpoint() == ServerUrl.Endpoint.CHAT);
        if (chat && options.prompt() == HttpOptions.PromptForm.TOKENS) {
            faults.add(selection.name() + ": prompt=tokens needs api=completions; chat takes text only.");
        }
        if (!chat && options.history() == HttpOptions.History.ANSWERS) {
            faults.add(selection.name() + ": history=answers sends messages and needs api=chat.");
        }
        if (url == null || !faults.isEmpty()) {
            throw new OptionException(faults);
        }
        String model = options.model().isEmpty() ? environment.apply(MODEL_VARIABLE).orElse("") : options.model();
        // The connection reads it later; the record names it as used.
        Optional<String> unused = environment.apply(GPU_MEMORY_VARIABLE);
        return new HttpSettings(options, url, model, chat, key.beside(extras.secrets()), extras, metrics, gpus,
                List.copyOf(used));
    }

    /// The model of requests that name none: where each kind of them has its own, the first.
    String usualModel() {
        List<String> own = extras.mix().stream().map(RequestMix.Variant::model).toList();
        return model.isEmpty() && !own.isEmpty() && !own.contains("") ? own.getFirst() : model;
    }

    /// The name for tables and folders: the model if known, else the address.
    String label() {
        return model.isEmpty() ? url.authority() : model;
    }

    /// Where gauges are read. Only the server itself gets the key.
    List<GaugeSampler.Source> sources(ModelList models) {
        Set<String> chosen = options.gpus().isEmpty() ? Set.of() : Set.copyOf(List.of(options.gpus().split("\\+", -1)));
        return Stream
                .concat(gauges(models).stream(),
                        Stream.ofNullable(gpuUrl).map(
                                address -> new GaugeSampler.Source(address, false, "gpu_metrics", new GpuPage(chosen))))
                .toList();
    }

    /// Where the server's own gauges are read; empty if they are not.
    private Optional<GaugeSampler.Source> gauges(ModelList models) {
        boolean own = options.metrics().equals("auto") || options.metrics().isEmpty();
        // trtllm-serve's plain /metrics is a list that reading empties, so other readers would miss it.
        URI address = own && models.isTrtLlm() ? url.at("/prometheus/metrics") : metricsUrl;
        return address == null ? Optional.empty() : Optional.of(new GaugeSampler.Source(address, own, "metrics", null));
    }

    private static String address(HttpOptions options, Function<String, Optional<String>> environment) {
        if (!options.url().isEmpty()) {
            return options.url();
        }
        return environment.apply(ENDPOINT_VARIABLE)
                .orElseGet(() -> "http://" + environment.apply(HOST_VARIABLE).orElse("127.0.0.1") + ":"
                        + environment.apply(PORT_VARIABLE).orElse(STANDARD_PORT));
    }

    private static Optional<String> given(Function<String, Optional<String>> environment, String variable) {
        return environment.apply(variable).map(String::strip).filter(value -> !value.isEmpty());
    }

    private static @Nullable URI metrics(String option, ServerUrl url) {
        return switch (option) {
            case "off" -> null;
            case "auto", "" -> url.at("/metrics");
            default -> {
                // The same refusals as for the server's own address.
                ServerUrl.parse(option);
                URI address = URI.create(option.contains("://") ? option : "http://" + option);
                yield address.getPath().isEmpty() ? address.resolve("/metrics") : address;
            }
        };
    }

    private static ApiKey key(String variable, Function<String, Optional<String>> environment) {
        if (variable.isEmpty()) {
            return ApiKey.NONE;
        }
        if (!VARIABLE.matcher(variable).matches()) {
            throw new IllegalArgumentException(
                    "api_key_env takes the NAME of an environment variable (A to Z, 0 to 9, _), not the key.");
        }
        return ApiKey.of(variable,
                environment.apply(variable).orElseThrow(() -> new IllegalArgumentException("The environment variable "
                        + variable + " of api_key_env is not set. Set it, or write it into .env in the workspace.")));
    }
}
