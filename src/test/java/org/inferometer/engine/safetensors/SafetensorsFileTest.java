package org.inferometer.engine.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The reference reader's verdict on each of these files, held against ours.
class SafetensorsFileTest {
    private static final String A = "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}";

    @TempDir
    Path folder;

    private Path file(byte[] header, long claimed, int dataBytes) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 + header.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(claimed).put(header);
        return Files.write(folder.resolve("x.safetensors"), bytes.array());
    }

    private Path file(String header, int dataBytes) throws IOException {
        byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
        return file(bytes, bytes.length, dataBytes);
    }

    private static Arguments row(String name, String header, int dataBytes) {
        return arguments(name, header, dataBytes);
    }

    static Stream<Arguments> accepted() {
        return Stream.of(row("one tensor", "{" + A + "}", 4), row("no tensor", "{}", 0),
                row("a leading space", " \n\t{" + A + "}", 4), row("trailing spaces", "{" + A + "}   ", 4),
                row("a scalar", "{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4),
                row("a zero-size tensor", "{\"a\":{\"dtype\":\"F32\",\"shape\":[3,0],\"data_offsets\":[0,0]}}", 0),
                row("a zero-size tensor between others",
                        "{\"z\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]},"
                                + "\"e\":{\"dtype\":\"I64\",\"shape\":[0],\"data_offsets\":[1,1]},\"a\":{\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
                        3),
                row("metadata", "{\"__metadata__\":{\"format\":\"pt\"}," + A + "}", 4),
                row("metadata that is null", "{\"__metadata__\":null," + A + "}", 4),
                row("fields in any order, and unknown ones",
                        "{\"a\":{\"data_offsets\":[0,4],\"note\":{\"x\":[1,2.5,null]},\"shape\":[1],\"dtype\":\"F32\"}}",
                        4),
                row("an escaped name", "{\"\\u0061\\n\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4),
                row("half-byte elements that fill bytes",
                        "{\"a\":{\"dtype\":\"F4\",\"shape\":[2,3],\"data_offsets\":[0,3]}}", 3),
                row("six-bit elements that fill bytes",
                        "{\"a\":{\"dtype\":\"F6_E2M3\",\"shape\":[4],\"data_offsets\":[0,3]}}", 3));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void accepted(String name, String header, int dataBytes) throws Exception {
        try (SafetensorsFile file = SafetensorsFile.open(file(header, dataBytes))) {
            assertThat(file.entries().stream().mapToLong(TensorEntry::bytes).sum()).isEqualTo(dataBytes);
        }
    }

    private static Arguments tensor(String name, String fields, int dataBytes) {
        return row(name, "{\"a\":{" + fields + "}}", dataBytes);
    }

    static Stream<Arguments> refused() {
        return Stream.of(row("trailing bytes", "{" + A + "}", 5), row("missing bytes", "{" + A + "}", 3), row("a hole",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]}}",
                3), row("a hole at the start", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}", 2),
                row("an overlap",
                        "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
                        3),
                row("the same bytes twice", "{" + A + "," + A.replace("\"a\"", "\"b\"") + "}", 4),
                tensor("a size that is not the shape's", "\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]", 4),
                tensor("an end before the begin", "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]", 4),
                tensor("an unknown dtype", "\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,4]", 4),
                tensor("a dtype in small letters", "\"dtype\":\"f32\",\"shape\":[1],\"data_offsets\":[0,4]", 4),
                tensor("a dtype that is a number", "\"dtype\":32,\"shape\":[1],\"data_offsets\":[0,4]", 4),
                tensor("no dtype", "\"shape\":[1],\"data_offsets\":[0,4]", 4),
                tensor("no shape", "\"dtype\":\"F32\",\"data_offsets\":[0,4]", 4),
                tensor("no offsets", "\"dtype\":\"F32\",\"shape\":[1]", 4),
                tensor("offsets under the wrong name", "\"dtype\":\"F32\",\"shape\":[1],\"offsets\":[0,4]", 4),
                tensor("one offset", "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]", 4),
                tensor("three offsets", "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]", 4),
                tensor("a field twice", "\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]", 4),
                tensor("a negative dimension", "\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]", 4),
                tensor("minus zero", "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[-0,4]", 4),
                tensor("a negative offset", "\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-4,4]", 4),
                tensor("a fraction as dimension", "\"dtype\":\"F32\",\"shape\":[1.0],\"data_offsets\":[0,4]", 4),
                tensor("an exponent as dimension", "\"dtype\":\"F32\",\"shape\":[1e0],\"data_offsets\":[0,4]", 4),
                tensor("a string as dimension", "\"dtype\":\"F32\",\"shape\":[\"1\"],\"data_offsets\":[0,4]", 4),
                tensor("a nested shape", "\"dtype\":\"F32\",\"shape\":[[1]],\"data_offsets\":[0,4]", 4),
                tensor("a dimension beyond 64 bits",
                        "\"dtype\":\"F32\",\"shape\":[18446744073709551617],\"data_offsets\":[0,4]", 4),
                tensor("a number of a thousand digits",
                        "\"dtype\":\"F32\",\"shape\":[" + "1".repeat(1500) + "],\"data_offsets\":[0,4]", 4),
                tensor("a product that overflows to 1",
                        "\"dtype\":\"U8\",\"shape\":[4294967297,18014398509481985],\"data_offsets\":[0,1]", 1),
                tensor("an overflow before a zero",
                        "\"dtype\":\"U8\",\"shape\":[999999999999,999999999999,0],\"data_offsets\":[0,0]", 0),
                tensor("bits that overflow", "\"dtype\":\"F64\",\"shape\":[288230376151711744],\"data_offsets\":[0,0]",
                        0),
                tensor("an element that ends inside a byte", "\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,2]",
                        2),
                tensor("an offset beyond 63 bits",
                        "\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[9223372036854775807,9223372036854775808]", 1),
                row("a name twice", "{" + A + "," + A + "}", 4),
                row("metadata twice", "{\"__metadata__\":{},\"__metadata__\":{}," + A + "}", 4),
                row("a metadata value that is not a string", "{\"__metadata__\":{\"a\":1}," + A + "}", 4),
                row("metadata that is no object", "{\"__metadata__\":[]," + A + "}", 4),
                row("a list as header", "[]", 0), row("a string as header", "\"a\"", 0), row("an empty header", "", 0),
                row("half an object", "{" + A, 4), row("a comma too many", "{" + A + ",}", 4),
                row("a second object", "{}{}", 0), row("zero bytes as padding", "{}\0\0", 0),
                row("a comment", "{}//", 0), row("a byte order mark", "\uFEFF{}", 0),
                row("a tensor that is a list", "{\"a\":[\"F32\",[1],[0,4]]}", 4),
                row("half a surrogate pair as name",
                        "{\"\\ud800\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4),
                tensor("a control character", "\"dtype\":\"F32\n\",\"shape\":[1],\"data_offsets\":[0,4]", 4),
                tensor("nesting without end", "\"x\":" + "[".repeat(100_000), 4),
                tensor("a nest of 200 levels", "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":"
                        + "[".repeat(200) + "]".repeat(200), 4));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refused(String name, String header, int dataBytes) throws Exception {
        assertRefused(file(header, dataBytes));
    }

    private static void assertRefused(Path file) {
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> SafetensorsFile.open(file).close())
                .withMessageStartingWith(file.toString());
    }

    @Test
    void lengthsThatDoNotFitAreRefusedBeforeMemoryIsTaken() throws Exception {
        byte[] header = "{}".getBytes(StandardCharsets.UTF_8);
        for (long claimed : new long[]{3, 100_000_000, 100_000_001, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            assertRefused(file(header, claimed, 0));
        }
    }

    @Test
    void filesTooShortForALengthAreRefused() throws Exception {
        for (int bytes = 0; bytes < 8; bytes++) {
            assertRefused(Files.write(folder.resolve("short"), new byte[bytes]));
        }
    }

    @Test
    void bytesThatAreNoUtf8AreRefusedEvenWhereNobodyLooks() throws Exception {
        byte[] header = ("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":\"\u00e9\"}}")
                .getBytes(StandardCharsets.ISO_8859_1);
        assertRefused(file(header, header.length, 4));
    }

    @Test
    void utf16IsNotGuessed() throws Exception {
        byte[] header = "{}".getBytes(StandardCharsets.UTF_16BE);
        assertRefused(file(header, header.length, 0));
    }

    @Test
    void whatIsNoRegularFileIsRefused() {
        assertRefused(folder);
        assertRefused(folder.resolve("missing"));
    }

    @Test
    void unalignedTensorsAreReadLittleEndian() throws Exception {
        byte[] header =
                "{\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"f\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}"
                        .getBytes(StandardCharsets.UTF_8);
        Path path = file(header, header.length, 5);
        byte[] bytes = Files.readAllBytes(path);
        bytes[bytes.length - 2] = (byte) 0x80;
        bytes[bytes.length - 1] = 0x3F;
        Files.write(path, bytes);
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            TensorEntry entry = file.entry("f").orElseThrow();
            assertThat(file.bytes(entry).get(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0))
                    .isEqualTo(1f);
        }
    }

    @Test
    void theWriterOrdersByTypeAndNameAndPadsToEightBytes() {
        SafetensorsLayout layout = SafetensorsLayout.of(List.of(new TensorSpec("b", SafetensorsDtype.U8, List.of(3L)),
                new TensorSpec("a", SafetensorsDtype.U8, List.of(1L)),
                new TensorSpec("z", SafetensorsDtype.F32, List.of(1L)),
                new TensorSpec("h", SafetensorsDtype.F16, List.of()),
                new TensorSpec("q", SafetensorsDtype.F8_E4M3, List.of(2L))), Map.of("format", "pt"));
        String json =
                "{\"__metadata__\":{\"format\":\"pt\"},\"z\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                        + "\"h\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[4,6]},\"q\":{\"dtype\":\"F8_E4M3\",\"shape\":[2],\"data_offsets\":[6,8]},"
                        + "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[8,9]},\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[9,12]}}";
        int padded = (json.length() + 7) / 8 * 8;
        ByteBuffer prefix = ByteBuffer.wrap(layout.prefix()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(prefix.getLong()).isEqualTo(padded);
        assertThat(new String(layout.prefix(), 8, padded, StandardCharsets.UTF_8))
                .isEqualTo(json + " ".repeat(padded - json.length()));
        assertThat(layout.fileBytes()).isEqualTo(8 + padded + 12);
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        List<TensorSpec> specs = List.of(new TensorSpec("weird \"name\" \n é", SafetensorsDtype.I64, List.of(2L, 0L)),
                new TensorSpec("x", SafetensorsDtype.BF16, List.of(2L, 2L)));
        SafetensorsLayout layout = SafetensorsLayout.of(specs, Map.of());
        Path path = Files.write(folder.resolve("w"),
                ByteBuffer.allocate((int) layout.fileBytes()).put(layout.prefix()).array());
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            assertThat(file.entries()).isEqualTo(layout.entries());
            assertThat(file.metadata()).isEmpty();
        }
    }
}
