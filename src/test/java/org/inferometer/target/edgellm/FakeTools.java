package org.inferometer.target.edgellm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;

/// Shell scripts that stand in for the tools, an engine's folder, and targets on them.
///
/// A script finds what it was asked in `$input`, `$output`, `$profile`, `$mode` and `$tables`, and notes its arguments in `calls`.
final class FakeTools {
    /// A profile of one request: 2 prompt tokens, 3 output tokens, 4 µs of prefill, 6 µs of decode.
    static final String PROFILE = """
            {"prefill":{"total_runs":1,"reused_tokens":0,"computed_tokens":2,"average_time_per_run_ms":0.004},
             "generation":{"total_runs":1,"generated_tokens":2,"average_time_per_token_ms":0.003},
             "stages":[],"peak_gpu_memory_bytes":1073741824}""";

    private static final String PREAMBLE = """
            #!/bin/sh
            here=$(dirname "$0")
            echo "$@" >> "$here/calls"
            while [ $# -gt 0 ]; do
              case "$1" in
                --inputFile) input=$2; shift;;
                --outputFile) output=$2; shift;;
                --profileOutputFile) profile=$2; shift;;
                --mode) mode=$2; shift;;
                --outputDir) tables=$2; shift;;
              esac
              shift
            done
            """;

    private final Path folder;
    private final AheadClock clock = new AheadClock();

    FakeTools(Path folder) throws IOException {
        assumeThat(Path.of("/bin/sh")).as("a shell for the fake tools").isExecutable();
        this.folder = folder;
        Files.createDirectories(engine());
        Files.writeString(engine().resolve("config.json"), "{}");
    }

    Path engine() {
        return folder.resolve("engines").resolve("fp8");
    }

    Path tool() {
        return folder.resolve("tool");
    }

    /// Lets this much time pass at once.
    void passTime(Duration time) {
        clock.aheadNanos.addAndGet(time.toNanos());
    }

    /// The arguments of each call.
    List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    /// Shell that answers so many requests and leaves a profile.
    static String answering(int answers, String profile) {
        String answer = "{\"output_text\":\"well\",\"request_idx\":0,\"batch_idx\":0}";
        String all = String.join(",", Collections.nCopies(answers, answer));
        return "cat > \"$output\" <<'END'\n{\"input_file\":\"x\",\"responses\":[" + all
                + "]}\nEND\ncat > \"$profile\" <<'END'\n" + profile + "\nEND\n";
    }

    /// Opens a target on a tool that does this.
    Target open(String script, TargetEventLog ledger, String more) throws IOException, TargetException {
        Files.writeString(tool(), PREAMBLE + script);
        Files.setPosixFilePermissions(tool(), PosixFilePermissions.fromString("rwx------"));
        return open(ledger, more);
    }

    /// Opens a target on the tool that is there.
    Target open(TargetEventLog ledger, String more) throws TargetException {
        String options = "engine_dir=" + engine() + ",binary=" + tool() + (more.isEmpty() ? "" : "," + more);
        Target target;
        try {
            target = new EdgeLlmTargetKind(name -> Optional.empty()).configure(Selection.parse("edgellm:" + options))
                    .open(new TargetSetup(clock, ledger, ledger, 100));
        } catch (OptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        assertThat(target.description()).isEqualTo("fp8 by " + tool());
        return target;
    }

    /// The time of day, and what was let pass.
    private static final class AheadClock implements Clock {
        private final Clock system = new SystemClock();
        private final AtomicLong aheadNanos = new AtomicLong();

        @Override
        public long nanos() {
            return system.nanos() + aheadNanos.get();
        }

        @Override
        public Instant wall() {
            return system.wall();
        }
    }
}
