package org.inferometer.suite.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// A configuration after the framework's environment variables and its table of GPUs.
///
/// @param values all fields, typed as in the file
/// @param origins the fields that were replaced
/// @param placeholders fields that still have a placeholder such as `<partition>`
public record Overrides(Map<String, @Nullable Object> values, List<FieldOrigin> origins, List<String> placeholders) {
    /// What the framework requests for a GPU. Clocks are not locked here: that needs the rights of an administrator.
    private record GpuRequest(String extraArguments, boolean segment) {}

    private static final Map<String, GpuRequest> GPUS = Map.of("GB200", new GpuRequest("--gres=gpu:4", true), "GB300",
            new GpuRequest("", true), "H100", new GpuRequest("", false), "B200", new GpuRequest("--gres=gpu:4", false),
            "B300", new GpuRequest("--gres=gpu:4", false));
    /// Variables and their fields, in the order in which they are told.
    private static final List<Map.Entry<String, String>> VARIABLES = List.of(
            Map.entry("SLURM_PARTITION", "slurm.partition"), Map.entry("SLURM_ACCOUNT", "slurm.account"),
            Map.entry("SLURM_JOB_NAME", "slurm.job_name"), Map.entry("CONTAINER_IMAGE", "environment.container_image"),
            Map.entry("WORK_DIR", "environment.work_dir"), Map.entry("REPO_DIR", "environment.trtllm_repo"),
            Map.entry("TRTLLM_WHEEL_PATH", "environment.trtllm_wheel_path"));

    /// The fields of a configuration under these variables.
    public static Overrides of(Disaggregated test, EnvironmentVariables environment) {
        Builder builder = new Builder(test.file().values());
        VARIABLES.forEach(each -> given(environment, each.getKey())
                .ifPresent(value -> builder.put(each.getValue(), value, each.getKey())));
        joined(environment, "MODEL_DIR", test.metadata().modelFolder())
                .ifPresent(path -> builder.put("environment.model_path", path, "MODEL_DIR, metadata.model_dir_name"));
        String dataset = test.benchmark().datasetFile().isEmpty() ? test.metadata().datasetFile()
                : test.benchmark().datasetFile();
        joined(environment, "DATASET_DIR", dataset)
                .ifPresent(path -> builder.put("benchmark.dataset_file", path, "DATASET_DIR"));
        String script = test.file().section("slurm").text("script_file");
        joined(environment, "SCRIPT_DIR", script.isEmpty() ? test.metadata().scriptFile() : script)
                .ifPresent(path -> builder.put("slurm.script_file", path, "SCRIPT_DIR"));
        given(environment, "GPU_TYPE").ifPresent(gpu -> request(builder, gpu));
        return builder.overrides();
    }

    private static void request(Builder builder, String gpu) {
        GpuRequest request = GPUS.get(LetterCase.upper(gpu.replaceFirst("_.*", "")));
        if (request != null) {
            builder.put("slurm.extra_args", request.extraArguments, "table of GPUs: " + gpu);
            builder.put("slurm.set_segment", request.segment, "table of GPUs: " + gpu);
        }
        builder.put("hardware.gpu_type", gpu, "GPU_TYPE");
    }

    private static Optional<String> given(EnvironmentVariables environment, String variable) {
        return environment.value(variable).map(String::strip).filter(value -> !value.isEmpty());
    }

    /// A file of the configuration in the folder of a variable.
    private static Optional<String> joined(EnvironmentVariables environment, String variable, String file) {
        return file.isEmpty() || file.startsWith("/") ? Optional.empty()
                : given(environment, variable).map(folder -> folder.replaceFirst("(?<![/])/+$", "") + "/" + file);
    }

    /// The text of a field; empty if there is none.
    public String text(String field) {
        Object value = values;
        for (String key : field.split("\\.")) {
            value = value instanceof Map<?, ?> mapping ? mapping.get(key) : null;
        }
        return value == null ? "" : value.toString();
    }

    /// Changes fields in copies of their mappings.
    private static final class Builder {
        private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
        private final List<FieldOrigin> origins = new ArrayList<>();

        private Builder(Map<String, @Nullable Object> file) {
            file.forEach((key, value) -> values.put(key, value instanceof Map<?, ?> mapping ? copy(mapping) : value));
        }

        private static Map<String, @Nullable Object> copy(Map<?, ?> mapping) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            mapping.forEach((key, value) -> copy.put(String.valueOf(key), value));
            return copy;
        }

        private void put(String field, Object value, String origin) {
            int dot = field.indexOf('.');
            String section = field.substring(0, dot);
            Map<String, @Nullable Object> inner =
                    values.get(section) instanceof Map<?, ?> mapping ? copy(mapping) : new LinkedHashMap<>();
            Object before = inner.put(field.substring(dot + 1), value);
            values.put(section, inner);
            if (!value.equals(before)) {
                origins.add(new FieldOrigin(field, before == null ? "" : before.toString(), value.toString(), origin));
            }
        }

        private Overrides overrides() {
            List<String> placeholders = new ArrayList<>();
            values.forEach((section, value) -> {
                if (value instanceof Map<?, ?> mapping) {
                    mapping.forEach((key, inner) -> {
                        if (inner != null && inner.toString().matches("<[^<>]*>")) {
                            placeholders.add(section + "." + key);
                        }
                    });
                }
            });
            return new Overrides(values, List.copyOf(origins), List.copyOf(placeholders));
        }
    }

    /// A field whose value does not come from the configuration alone.
    ///
    /// @param field its path: "slurm.partition"
    /// @param before as the file has it; empty if it has none
    /// @param after what is used
    /// @param origin the variable, or the table, that it comes from
    public record FieldOrigin(String field, String before, String after, String origin) {}
}
