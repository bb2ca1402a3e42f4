package org.inferometer.results.bundle;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.record.RecordFiles;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.FileName;
import org.inferometer.units.OneLine;
import org.inferometer.units.PlainJson;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The first file of a bundle. It lists all others with size and hash, so that a reader knows their sum before it writes any.
///
/// @param created when, as ISO 8601 in UTC
/// @param shareSafe whether host, user, paths, prompts and answers were removed
/// @param removed what was removed, such as "12 paths"
/// @param notes of the author
/// @param results folders, in the order of the author
/// @param files all others, in the order of the ZIP file
public record BundleManifest(@JsonProperty("formatVersion") int formatVersion, @JsonProperty("kind") String kind,
        @JsonProperty("inferometer") String inferometer, @JsonProperty("created") String created,
        @JsonProperty("shareSafe") boolean shareSafe, @JsonProperty("removed") List<String> removed,
        @JsonProperty("notes") String notes, @JsonProperty("view") BundleView view,
        @JsonProperty("results") List<String> results, @JsonProperty("files") List<BundledFile> files) {
    static final String NAME = "bundle.json";
    static final String REPORT = "report.html";
    static final String KIND = "inferometer-bundle";
    static final int FORMAT_VERSION = 1;
    static final int MOST_RESULTS = 100;
    /// ZIP counts up to 65,535 without extensions.
    static final int MOST_FILES = 60_000;
    static final long MOST_BYTES = 16L << 30;
    static final int MOST_MANIFEST_BYTES = 16 << 20;
    private static final long ALWAYS_ALLOWED_BYTES = 64L << 20;
    /// Files of a record shrink to a third to a thirtieth.
    private static final int MOST_SHRINKING = 250;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final JsonMapper MAPPER = JsonMapper
            .builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(32).maxStringLength(1 << 20)
                            .maxDocumentLength(MOST_MANIFEST_BYTES).build())
                    .build())
            .enable(SerializationFeature.INDENT_OUTPUT).disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /// @param path inside the ZIP file, with slashes
    /// @param sha256 in hexadecimal
    public record BundledFile(@JsonProperty("path") String path, @JsonProperty("bytes") long bytes,
            @JsonProperty("sha256") String sha256) {}

    byte[] json() {
        return MAPPER.writeValueAsString(PlainJson.of(MAPPER.valueToTree(this))).getBytes(StandardCharsets.UTF_8);
    }

    /// Reads and checks a manifest.
    ///
    /// @param file names the bundle in errors
    static BundleManifest parse(Path file, byte[] json) throws ResultFormatException {
        try {
            JsonNode tree = PlainJson.of(MAPPER.readTree(json));
            if (!KIND.equals(tree.path("kind").asString(""))) {
                throw new ResultFormatException(file, "this is not a bundle of Inferometer.");
            }
            if (tree.path("formatVersion").asInt(0) != FORMAT_VERSION) {
                throw new ResultFormatException(file, "the bundle has format " + tree.path("formatVersion").asInt(0)
                        + "; this version reads " + FORMAT_VERSION + ". Use a newer Inferometer.");
            }
            BundleManifest manifest = MAPPER.treeToValue(tree, BundleManifest.class);
            manifest.requireValid(file);
            return manifest;
        } catch (JacksonException e) {
            throw new ResultFormatException(file, "the list of the bundle's files cannot be read. Ask for it again.");
        }
    }

    /// The sizes of all files.
    long bytes() {
        return files.stream().mapToLong(BundledFile::bytes).sum();
    }

    /// Refuses names, counts and sizes that a bundle cannot have.
    private void requireValid(Path file) throws ResultFormatException {
        if (results == null || files == null || view == null || notes == null || removed == null) {
            throw new ResultFormatException(file, "the list of the bundle's files is incomplete. Ask for it again.");
        }
        if (results.isEmpty() || results.size() > MOST_RESULTS || files.size() > MOST_FILES) {
            throw new ResultFormatException(file, "the bundle lists " + results.size() + " results and " + files.size()
                    + " files; 1 to " + MOST_RESULTS + " results and at most " + MOST_FILES + " files are allowed.");
        }
        Set<String> folders = new HashSet<>();
        for (String folder : results) {
            if (folder == null || !FileName.isPortable(folder) || !folders.add(FileName.key(folder))) {
                throw new ResultFormatException(file, "the bundle has a result with an invalid or repeated name.");
            }
        }
        Set<String> paths = new HashSet<>();
        Map<String, String> spellings = new HashMap<>();
        long bytes = 0;
        for (BundledFile each : files) {
            if (each == null || each.path() == null || each.sha256() == null || !isInside(each.path())
                    || !HASH.matcher(each.sha256()).matches() || each.bytes() < 0 || each.bytes() > MOST_BYTES) {
                throw new ResultFormatException(file,
                        "the bundle lists a file whose name or size is not allowed. Nothing was written.");
            }
            if (!isOfRecord(each.path())) {
                throw new ResultFormatException(file,
                        "the bundle lists " + OneLine.of(each.path()) + ", which no result of this version has. "
                                + "Update if a newer Inferometer wrote it; else do not open it. Nothing was written.");
            }
            if (!paths.add(FileName.key(each.path()))) {
                throw new ResultFormatException(file, "the bundle lists a file twice. Nothing was written.");
            }
            requireOneSpelling(file, each.path(), spellings);
            bytes += each.bytes();
            if (bytes > MOST_BYTES) {
                throw new ResultFormatException(file, "the bundle unpacks to more than " + (MOST_BYTES >> 30)
                        + " GiB, the limit. Nothing was written.");
            }
        }
    }

    /// Some systems take folders that differ in case or in their Unicode form for one.
    private static void requireOneSpelling(Path file, String path, Map<String, String> spellings)
            throws ResultFormatException {
        for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
            String folder = path.substring(0, end);
            if (!spellings.computeIfAbsent(FileName.key(folder), key -> folder).equals(folder)) {
                throw new ResultFormatException(file,
                        "the bundle spells a folder in two ways: " + OneLine.of(folder) + ". Nothing was written.");
            }
        }
    }

    /// Refuses a bundle that unpacks to far more than records do.
    void requireLikelySize(Path file, long zipBytes) throws ResultFormatException {
        if (bytes() > ALWAYS_ALLOWED_BYTES && bytes() / MOST_SHRINKING > zipBytes) {
            throw new ResultFormatException(file, "the bundle of " + (zipBytes >> 10) + " KiB claims to hold "
                    + (bytes() >> 20) + " MiB. Records do not shrink that much. Nothing was written.");
        }
    }

    /// The report, or `results/RESULT/FILE` or `results/RESULT/RUN/FILE` of a listed result.
    private boolean isInside(String path) {
        String[] names = path.split("/", -1);
        if (names.length == 1) {
            return path.equals(REPORT);
        }
        if (names.length < 3 || names.length > 4 || !names[0].equals("results") || !results.contains(names[1])) {
            return false;
        }
        return Stream.of(names).allMatch(FileName::isPortable);
    }

    /// Whether a record has such a file.
    private static boolean isOfRecord(String path) {
        String[] names = path.split("/", -1);
        String name = names[names.length - 1];
        return switch (names.length) {
            case 1 -> true;
            case 3 -> RecordFiles.isOfExperiment(name);
            default -> RecordFiles.isOfRun(name);
        };
    }
}
