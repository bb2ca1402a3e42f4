package org.inferometer.cli.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.results.AtomicFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.launch.Overrides.FieldOrigin;
import org.inferometer.suite.launch.TrtllmLaunch;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `suite launch`: the files and commands that start the servers of tests on a cluster.
@Command(name = "launch",
        description = "Show the files, the placement, the sbatch call and the load of test configurations for TensorRT-LLM's disaggregated serving. Nothing is started. Variables such as SLURM_PARTITION, CONTAINER_IMAGE, MODEL_DIR and GPU_TYPE replace fields, as in the framework. Exits with 1 if a job would be refused.",
        footer = {"", "Examples:", "  inferometer suite launch test_configs -k 1k1k",
                "  inferometer suite launch test_configs -k tep8 --out launch", ""})
public final class SuiteLaunchCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "DIR", description = "Folder with test configurations (*.yaml).")
    Path folder = Path.of("");

    @Option(names = "--out", paramLabel = "DIR",
            description = "Write the files of each test into a folder of its name, and the commands as launch.txt.")
    @Nullable
    Path out;

    @Mixin
    SelectionOptions options = new SelectionOptions();

    public SuiteLaunchCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints for a test.
    ///
    /// @param nodes of the job; 0 if its servers cannot be placed
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record LaunchLine(String test, int nodes, int tasks, List<String> findings, List<FieldOrigin> replaced,
            Map<String, String> files, List<String> sbatch, String script, List<String> arguments,
            List<List<String>> client) {}

    @Override
    public Integer call() throws UsageException, IOException {
        SuiteContents contents = SuiteContents.read(folder, options.selection(services().environment()));
        List<TestFile> tests = contents.chosenTests();
        List<LaunchLine> lines = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (TestFile test : tests) {
            String id = PlainText.of(test.id().toString());
            text.append("### ").append(id).append('\n');
            Optional<TrtllmLaunch> launch = Optional.empty();
            String problem = "";
            if (test.isRefused()) {
                problem = "The framework refuses it. See: inferometer suite validate " + folder;
            } else if (test.configuration() instanceof Disaggregated servers) {
                try {
                    launch = Optional.of(TrtllmLaunch.of(servers, test.id().stem(), services().environment()));
                } catch (IllegalArgumentException e) {
                    problem = String.valueOf(e.getMessage());
                }
            } else {
                problem = "Only servers for context and generation have such a launch.";
            }
            lines.add(line(id, launch, problem));
            text.append(launch.map(TrtllmLaunch::text).orElse("# " + problem + "\n")).append('\n');
            if (launch.isPresent() && out != null) {
                write(out.resolve(id.replace(':', '-')), launch.get());
            }
        }
        print(lines, text::toString);
        return lines.stream().allMatch(line -> line.findings.isEmpty()) ? ExitCodes.DONE : ExitCodes.VERDICT_FAILED;
    }

    private static LaunchLine line(String id, Optional<TrtllmLaunch> launch, String problem) {
        return launch
                .map(each -> new LaunchLine(id, each.placement().nodes(), each.placement().tasks(), each.findings(),
                        each.overrides().origins(), each.files(), each.sbatch(), each.script(), each.arguments(),
                        each.client()))
                .orElseGet(() -> new LaunchLine(id, 0, 0, List.of(problem), List.of(), Map.of(), List.of(), "",
                        List.of(), List.of()));
    }

    private static void write(Path place, TrtllmLaunch launch) throws IOException {
        for (Map.Entry<String, String> file : launch.files().entrySet()) {
            AtomicFile.write(place.resolve(file.getKey()), file.getValue().getBytes(StandardCharsets.UTF_8));
        }
        AtomicFile.write(place.resolve("launch.txt"), launch.text().getBytes(StandardCharsets.UTF_8));
    }
}
