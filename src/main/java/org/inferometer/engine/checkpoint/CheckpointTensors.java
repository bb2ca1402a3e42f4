package org.inferometer.engine.checkpoint;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.SafetensorsFile;
import org.inferometer.engine.safetensors.SafetensorsHeader;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import tools.jackson.databind.JsonNode;

/// The tensors of a checkpoint, in one file or in shards; mapped until closed. Any thread may read.
final class CheckpointTensors implements AutoCloseable {
    static final String SINGLE = "model.safetensors";
    static final String INDEX = "model.safetensors.index.json";
    private static final String REMEDY = "Copy the whole checkpoint again.";
    private static final List<String> PICKLED = List.of("pytorch_model.bin", "pytorch_model.bin.index.json");
    private static final int MOST_SHARDS = 10_000;

    private final Path folder;
    private final List<SafetensorsFile> files;
    private final Map<String, Tensor> byName;

    /// A tensor and its bytes, valid until the checkpoint is closed.
    record Tensor(Path file, TensorEntry entry, MemorySegment bytes) {
        String name() {
            return entry.spec().name();
        }
    }

    private CheckpointTensors(Path folder, List<SafetensorsFile> files, Map<String, Tensor> byName) {
        this.folder = folder;
        this.files = files;
        this.byName = byName;
    }

    /// Maps all files of a checkpoint. The caller closes it.
    ///
    /// @throws EngineFormatException if a file is missing or broken, or the index and the files disagree
    static CheckpointTensors open(Path folder) throws EngineFormatException {
        Optional<Path> index = CheckpointFolder.file(folder, INDEX);
        Map<String, String> shards = index.isPresent() ? shards(index.get()) : Map.of();
        List<String> names = shards.isEmpty() ? List.of(SINGLE) : List.copyOf(new TreeSet<>(shards.values()));
        List<SafetensorsFile> files = new ArrayList<>();
        boolean opened = false;
        try {
            Map<String, Tensor> byName = new LinkedHashMap<>();
            for (String name : names) {
                SafetensorsFile file = SafetensorsFile.open(within(folder, name));
                files.add(file);
                for (TensorEntry entry : file.entries()) {
                    if (byName.put(entry.spec().name(), new Tensor(file.path(), entry, file.bytes(entry))) != null) {
                        throw new EngineFormatException(file.path(),
                                "Tensor " + SafetensorsHeader.shown(entry.spec().name()) + " is in two files.", REMEDY);
                    }
                }
            }
            for (Map.Entry<String, String> promised : shards.entrySet()) {
                Tensor tensor = byName.get(promised.getKey());
                if (tensor == null || !String.valueOf(tensor.file.getFileName()).equals(promised.getValue())) {
                    throw new EngineFormatException(folder.resolve(promised.getValue()), "Tensor "
                            + SafetensorsHeader.shown(promised.getKey()) + " is not in it, as " + INDEX + " says.",
                            REMEDY);
                }
            }
            opened = true;
            return new CheckpointTensors(folder, List.copyOf(files), Map.copyOf(byName));
        } finally {
            if (!opened) {
                files.forEach(SafetensorsFile::close);
            }
        }
    }

    private static Map<String, String> shards(Path index) throws EngineFormatException {
        JsonNode map = ConfigFields.object(index).path("weight_map");
        Map<String, String> shards = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            if (!entry.getValue().isString()) {
                throw new EngineFormatException(index, "weight_map has a value that is no file name.", REMEDY);
            }
            shards.put(entry.getKey(), entry.getValue().stringValue());
        }
        if (shards.isEmpty() || new TreeSet<>(shards.values()).size() > MOST_SHARDS) {
            throw new EngineFormatException(index, "weight_map names no shards, or more than " + MOST_SHARDS + ".",
                    REMEDY);
        }
        return shards;
    }

    private static Path within(Path folder, String name) throws EngineFormatException {
        if (!name.matches("[A-Za-z0-9_][A-Za-z0-9._-]*\\.safetensors")) {
            throw new EngineFormatException(folder.resolve(INDEX),
                    "It names a shard that is no file of the folder: " + SafetensorsHeader.shown(name) + ".", REMEDY);
        }
        return CheckpointFolder.file(folder, name).orElseThrow(() -> missing(folder, name));
    }

    private static EngineFormatException missing(Path folder, String name) {
        boolean pickled =
                name.equals(SINGLE) && PICKLED.stream().anyMatch(other -> Files.exists(folder.resolve(other)));
        return pickled
                ? new EngineFormatException(folder.resolve(name),
                        "The file is missing, and weights in pytorch_model.bin are not read.",
                        "Save the model in safetensors, as save_pretrained of transformers does.")
                : new EngineFormatException(folder.resolve(name), "The file is missing.", REMEDY);
    }

    Set<String> names() {
        return byName.keySet();
    }

    Optional<Tensor> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        files.forEach(SafetensorsFile::close);
    }
}
