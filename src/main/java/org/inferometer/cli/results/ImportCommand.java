package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.exchange.Importer;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `import`: converts files of other tools to results.
@Command(name = "import", description = "Import result files of other tools. Each file becomes a result.",
        footer = {"", "Examples:", "  inferometer import vllm-inf-qps.json",
                "  inferometer import profile_export.jsonl benchmarks.json",
                "  inferometer import --format llama-bench bench.csv", ""})
public final class ImportCommand extends JsonCommand {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Result files of other tools.")
    List<Path> files = new ArrayList<>();

    @Option(names = "--format", paramLabel = "FORMAT", completionCandidates = Formats.class,
            description = "Format of the files: ${COMPLETION-CANDIDATES}. Default: detected by content.")
    @Nullable
    String format;

    public ImportCommand(RootCommand root) {
        super(root);
    }

    /// The formats that the help lists.
    static final class Formats implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Importer.formats().iterator();
        }
    }

    /// What `--json` prints for a file.
    ///
    /// @param folder of the new result
    private record ImportedLine(String file, String result, String folder, String format, int runs, int requests,
            List<String> notes) {}

    @Override
    public Integer call() throws UsageException {
        if (format != null && !Importer.formats().contains(format)) {
            throw new UsageException(NearMisses.sentence("format", format, Importer.formats()));
        }
        Importer importer = new Importer(services().workspace().results());
        List<ImportedLine> lines = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (Path file : files) {
            try {
                Importer.Imported imported =
                        importer.read(file, Optional.ofNullable(format), services().clock().wall());
                lines.add(new ImportedLine(PlainText.of(file.toString()),
                        String.valueOf(imported.folder().getFileName()), imported.folder().toString(),
                        imported.format(), imported.runs(), imported.requests(), imported.notes()));
            } catch (IOException e) {
                faults.add(FileFault.sentence(e));
            }
        }
        print(lines, () -> lines.stream().map(this::text).collect(Collectors.joining()));
        UsageException.throwIfAny(faults);
        return ExitCodes.DONE;
    }

    private String text(ImportedLine line) {
        return line.result + ": " + line.runs + (line.runs == 1 ? " run" : " runs") + " of " + line.format + ", "
                + (line.requests == 0 ? "metrics only" : line.requests + " requests") + "\n"
                + line.notes.stream().map(note -> AlignedColumns.paragraph(note, "  ", terminal().columns()))
                        .collect(Collectors.joining());
    }
}
