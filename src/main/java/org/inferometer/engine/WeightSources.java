package org.inferometer.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.engine.files.SideFile;

/// Where the weights of an engine were read from: the checkpoint's files, and the tensor of each weight.
///
/// @param weights in the order of the model
public record WeightSources(@JsonProperty("files") List<SourceFile> files,
        @JsonProperty("weights") List<SourceTensor> weights) {
    /// `sources.json` in an engine's folder; absent if its weights are synthetic, or if an older version built it.
    public static final SideFile<WeightSources> FILE =
            new SideFile<>("sources.json", WeightSources.class, "list of sources", 8192, "Build the engine again.");

    public WeightSources {
        files = List.copyOf(files);
        weights = List.copyOf(weights);
        for (SourceTensor tensor : weights) {
            Objects.checkIndex(tensor.file(), files.size());
        }
    }

    /// A file of the checkpoint as it was when the engine was built.
    ///
    /// @param name without its folder
    /// @param sha256 hex digest of the whole file
    public record SourceFile(@JsonProperty("name") String name, @JsonProperty("bytes") long bytes,
            @JsonProperty("sha256") String sha256) {
        public SourceFile {
            Objects.requireNonNull(name);
            Objects.requireNonNull(sha256);
        }
    }

    /// The tensor that a weight was read from.
    ///
    /// @param weight its name in the engine
    /// @param tensor its name in the file; that of the values where scales stand beside them
    /// @param type of the values: "BF16", "Q4_K", "AWQ"
    /// @param file index of its file
    public record SourceTensor(@JsonProperty("weight") String weight, @JsonProperty("tensor") String tensor,
            @JsonProperty("type") String type, @JsonProperty("file") int file) {
        public SourceTensor {
            Objects.requireNonNull(weight);
            Objects.requireNonNull(tensor);
            Objects.requireNonNull(type);
        }
    }

    /// "model.norm.weight (BF16)", with its file if there are several.
    public Optional<String> sentence(String weight) {
        return of(weight).map(from -> from.tensor + " (" + from.type + ")"
                + (files.size() == 1 ? "" : " of " + files.get(from.file).name));
    }

    /// The tensor that a weight was read from.
    public Optional<SourceTensor> of(String weight) {
        return weights.stream().filter(each -> each.weight().equals(weight)).findFirst();
    }
}
