package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.record.RunMarker;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.WindowUse;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnonymizerTest {
    private static final TextAnonymizer TEXT = new TextAnonymizer(List.of("measurer", "lab-box-7"));
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /home/measurer/engines/tiny-fp8 is missing        | tiny-fp8 is missing
            C:\\Users\\me\\x.csv:3 is wrong                     | x.csv:3 is wrong
            \\\\server\\share\\weights.bin                       | weights.bin
            http://10.0.0.3:8000/v1/completions answered 500  | http://host/v1/completions answered 500
            ssh anna@gpu01.example.org failed                 | ssh user@host failed
            measurer on lab-box-7                             | (name) on (name)
            12.5 tok/s, 10/(1 − p), n / a, 1/2                | 12.5 tok/s, 10/(1 − p), n / a, 1/2
            host:threads=2 · short (60 requests)              | host:threads=2 · short (60 requests)
            ./inferometer run --engine tiny-fp8               | ./inferometer run --engine tiny-fp8
            ~/results/run-3                                   | run-3
            /home/Anna Muster/x.csv                           | x.csv
            C:\\Users\\Jane Doe\\x.csv: line 3                   | x.csv: line 3
            /home/anna and C:\\Users\\jane                      | ~ and ~
            trace:/home/anna/t.csv or file:/home/anna/x/y.csv | trace:t.csv or file:y.csv
            /tmp/a.json and /tmp/b c/d.json                   | a.json and d.json
            No connection to gpu07.corp.example:8000: refused | No connection to host: refused
            gpu07:8000, 10.1.2.3:8000, [::1]:8000, 10.1.2.3   | host, host, host, host
            requests.csv:289 and run.json:12 are kept         | requests.csv:289 and run.json:12 are kept
            naive:batch_size=8 at 12:30:05 on 26.0.2          | naive:batch_size=8 at 12:30:05 on 26.0.2
            / and a / b / c // d                              | / and a / b / c // d
            cannot open file:///home/bob/secret/model.bin     | cannot open file://host
            ssh://bob@gpu18:22/home/bob/x is closed           | ssh://host is closed
            http://gpu18:8000/v1/home/bob and http://a/home/b | http://host/v1~ and http://host
            /home//bob/secret/x and C:\\data\\\\bob\\x          | x and x
            nor //nas/home/bob/x nor </home/bob/model.bin>    | nor x nor <model.bin>
            <think>~bob/models/x, ~12/s</think>               | <think>x, ~12/s</think>
            ../../home/bob/x, a/home/bob/y, ./home/bob/z      | x, ay, .z
            /home/bob's files/secret plan/x.bin               | x.bin
            host gpu18.corp.example (2001:db8::42) refused    | host host (host) refused
            fe80::1%eth0, ::ffff:10.1.2.3, [fe80::1%eth0]:80  | host, host, host
            1:2:3:4:5:6:7:8 at 12:30:05, std::vector          | host at 12:30:05, std::vector
            a.tar.gz, java.net.ConnectException, 0.9.1.dev    | a.tar.gz, java.net.ConnectException, 0.9.1.dev
            BOX.CORP.INTERNAL, box.corp.INTERNAL, Box.Corp.Internal | host, host, host
            gpu_box.corp.internal and _b.box7.corp            | host and host
            via:node7.corp.internal, :box7.corp.x, -box7.corp.x | via:host, :host, host
            a/b.corp.internal, ...box7.corp.x.                | a/host, host.
            1a.box7.corp, 9.box7.corp                         | host, host
            n1.a100.cluster2 and box7.corp.k8s1               | host and host
            b\u00fccher.corp.internal, j\u00fcrgen@b\u00fccher.example | host, user@host
            host.corp.sh:8080, via:gpu_7:18475, gpu.10.internal | host, via:host, host
            -L/data/secret/lib, -I/data/inc "-I/data/x"       | -Llib, -Iinc "-Ix"
            \\Users\\bob\\secret, \\Users\\bob                  | secret, ~
            1.2.3, v1.2.3-rc1, 2.5.1.post1, torch-2.5.1.post1 | 1.2.3, v1.2.3-rc1, 2.5.1.post1, torch-2.5.1.post1
            model.safetensors, kernel_v2.cu:12, e.g. U.S.A.   | model.safetensors, kernel_v2.cu:12, e.g. U.S.A.
            llama-3.1-8b.q4, libcudart.so.12, limits.max_length | llama-3.1-8b.q4, libcudart.so.12, limits.max_length
            measurer_data, MEASURER-x, lab-box-7.local        | (name)_data, (name)-x, (name).local
            """)
    void privatePartsGoAndTheRestStays(String text, String expected) {
        assertThat(TEXT.of(text.strip())).isEqualTo(expected.strip());
    }

    @Test
    void secretsOfTheEnvFileAreMasked() {
        EnvironmentVariables environment =
                new EnvironmentVariables(Map.of("USER", "measurer"), Map.of("TOKEN", "sk-123456789"), List.of());
        assertThat(TextAnonymizer.ofThisMachine(environment).of("measurer sent sk-123456789"))
                .isEqualTo("(name) sent ***");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me@gpu18:8000/v1", "gpu18:18475", "gpu18/v1", "gpu18"})
    void hostsOfTargetsAreRemovedThoughTheyAreOneWord(String url) throws IOException {
        SampleRecords.writeWithSecrets(folder.resolve("sample"));
        ExperimentRecord sample = new ResultLibrary(folder).open(folder.resolve("sample"));
        ExperimentManifest manifest = sample.manifest();
        List<RunPlan> plan = manifest.plan().stream().map(run -> run
                .in(new PlannedTarget(Selection.parse("http:url=" + url + ",model=tiny,metrics=auto")), run.folder()))
                .toList();
        ExperimentRecord served = new ExperimentRecord(sample.folder(),
                new ExperimentManifest(manifest.formatVersion(), manifest.id(), manifest.spec(), plan,
                        manifest.machine(), manifest.times(), manifest.outcome(), false),
                sample.runs(), sample.notes());
        assertThat(TEXT.with(List.of(served)).of("No connection to gpu18 of measurer: tiny, auto"))
                .isEqualTo("No connection to (name) of (name): tiny, auto");
        assertThat(TextAnonymizer.EXACT.with(List.of(served)).of("to gpu18")).isEqualTo("to gpu18");
    }

    @Test
    void aCopyHoldsNoHostUserOrPath() throws IOException {
        Path secret = folder.resolve("home-of-measurer").resolve("experiment");
        SampleRecords.writeWithSecrets(secret);
        ExperimentRecord written = new ResultLibrary(folder).open(secret);
        RunRecord first = written.runs().getFirst();
        new ResultFiles().saveRun(secret.resolve(first.folderName()), first.manifest()
                .shownBy(new WindowUse("live", null, List.of(), List.of(new RunMarker(7, "anna came in")))));
        ExperimentRecord original = new ResultLibrary(folder).open(secret);
        Path shared = folder.resolve("shared");
        new Anonymizer(TEXT).copy(original, shared);

        try (var files = Files.walk(shared)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertThat(content).as(file.toString()).doesNotContain("measurer", "lab-box-7", folder.toString(),
                        "/home", "10.0.0.3", "anna", "private");
            }
        }
        ExperimentRecord copy = new ResultLibrary(folder).open(shared);
        assertThat(copy.manifest().anonymized()).isTrue();
        assertThat(copy.notes()).isEmpty();
        assertThat(copy.runs().getFirst().manifest().markers()).containsExactly(new RunMarker(7, "Marker 1"));
        assertThat(copy.manifest().cells()).isEqualTo(original.manifest().cells());
        assertThat(SamplePlans.engine(copy.runs().getFirst().manifest().plan()).engineFolder()).isEqualTo("tiny-fp8");
        assertThat(copy.runs().getFirst().observations().steps())
                .isEqualTo(original.runs().getFirst().observations().steps());
        assertThat(copy.runs().getFirst().observations().requests().getLast().reason())
                .isEqualTo("No answer from http://host/v1 for user@host, see log.txt");
    }
}
