package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What a server says about itself. Every text is empty where the server does not say it.
///
/// @param model the id of the served model
/// @param root the folder or name that the model was loaded from
/// @param software who serves: `owned_by` of the model, or the `Server` header
/// @param version of the software
public record ServerIdentity(@JsonProperty("model") String model, @JsonProperty("root") String root,
        @JsonProperty("software") String software, @JsonProperty("version") String version) {
    public ServerIdentity {
        model = Objects.requireNonNullElse(model, "");
        root = Objects.requireNonNullElse(root, "");
        software = Objects.requireNonNullElse(software, "");
        version = Objects.requireNonNullElse(version, "");
    }

    /// "vllm 0.6.3, loaded from /models/tiny"; "not known" for what the server does not say.
    public String text() {
        List<String> parts = new ArrayList<>(List.of((software.isEmpty() ? "software not known" : software) + " "
                + (version.isEmpty() ? "(version not known)" : version)));
        if (!root.isEmpty() && !root.equals(model)) {
            parts.add("loaded from " + root);
        }
        return String.join(", ", parts);
    }
}
