package org.inferometer.execution.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.execution.cuda.CudaBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KernelStructTest {
    private static final Path SOURCES = Path.of("src/main/cuda");
    private static final Pattern FIELD =
            Pattern.compile("(?m)^    ((?:const |unsigned )*[\\w ]+?)(\\*?) (\\*?)(\\w+);");
    private static final Pattern KERNEL = Pattern.compile("KERNEL\\((\\w+(?:##\\w+)*), \\w+, const (\\w+) \\w+\\)");
    private static final Pattern PTX =
            Pattern.compile("\\.entry (\\w+)\\(\\s*\\.param \\.align 8 \\.b8 \\w+\\[(\\d+)]\\s*\\)");

    @ParameterizedTest
    @EnumSource
    void fieldsAreThoseOfTheSources(KernelStruct struct) throws IOException {
        List<String> mirrored = struct.fields().stream().map(field -> field.type() + " " + field.name()).toList();
        assertThat(mirrored).isEqualTo(declared(struct.source(), ""));
    }

    @Test
    void kernelsTakeOneStructOfTheMirroredSize() throws IOException {
        Map<String, Integer> expected = new TreeMap<>();
        Matcher kernel = KERNEL.matcher(sources());
        while (kernel.find()) {
            int bytes = struct(kernel.group(2)).bytes();
            if (kernel.group(1).contains("##")) {
                for (String format : formats(kernel.group(1))) {
                    expected.put(kernel.group(1).replaceAll("##format(##)?", format), bytes);
                }
            } else {
                expected.put(kernel.group(1), bytes);
            }
        }
        Map<String, Integer> compiled = new TreeMap<>();
        Matcher entry = PTX.matcher(ptx());
        while (entry.find()) {
            compiled.put(entry.group(1), Integer.parseInt(entry.group(2)));
        }
        assertThat(compiled).isEqualTo(expected).hasSizeGreaterThan(30);
    }

    @Test
    void aFieldThatWasForgottenIsNamed() {
        try (Arena arena = Arena.ofConfined()) {
            KernelArguments.Builder builder = KernelArguments.of(KernelStruct.MMA_RATE, arena).none("out");
            assertThatThrownBy(builder::build).hasMessage("MmaRate lacks [iterations]");
        }
    }

    @Test
    void aFieldOfAnotherTypeIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            KernelArguments.Builder builder = KernelArguments.of(KernelStruct.MMA_RATE, arena);
            assertThatThrownBy(() -> builder.real("iterations", 1))
                    .hasMessage("MmaRate.iterations is INT and is set once");
        }
    }

    /// Narrow groups have the kernels of the macros of `matvec.cu` and the tile of 64.
    private static List<String> formats(String kernel) {
        return kernel.matches("mat\\w+##format##_(1|2|4|8|16|32|64)")
                ? List.of("bf16", "fp8", "int4", "int4_g64", "int4_g32") : List.of("bf16", "fp8", "int4");
    }

    private static KernelStruct struct(String source) {
        return Stream.of(KernelStruct.values()).filter(struct -> struct.source().equals(source)).findFirst()
                .orElseThrow();
    }

    /// Type and name of each field of a struct in the sources, nested ones in place.
    private static List<String> declared(String struct, String prefix) throws IOException {
        Matcher body = Pattern.compile("(?s)\\nstruct " + struct + " \\{\\n(.*?)\\n};").matcher(sources());
        assertThat(body.find()).as(struct).isTrue();
        List<String> fields = new ArrayList<>();
        Matcher field = FIELD.matcher(body.group(1));
        while (field.find()) {
            String name = prefix + field.group(4);
            boolean pointer = !(field.group(2) + field.group(3)).isEmpty();
            switch (pointer ? "pointer" : field.group(1)) {
                case "pointer" -> fields.add("POINTER " + name);
                case "int" -> fields.add("INT " + name);
                case "float" -> fields.add("FLOAT " + name);
                case "long long" -> fields.add("LONG_LONG " + name);
                default -> fields.addAll(declared(field.group(1), name + "."));
            }
        }
        return fields;
    }

    private static String sources() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                text.append(Files.readString(file)).append('\n');
            }
        }
        return text.toString();
    }

    private static String ptx() throws IOException {
        try (InputStream in = CudaBackend.class.getResourceAsStream("kernels-sm80.ptx")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
