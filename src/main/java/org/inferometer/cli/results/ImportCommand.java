package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.RecordFiles;
import org.inferometer.report.AlignedColumns;

import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.exchange.ImportFolder;
import org.inferometer.results.exchange.Importer;
import org.inferometer.results.exchange.UnsupportedFormatException;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `import`: converts files of other tools to results.
@Command(name = "import",
        description = "Import bundles, and result files of other tools. Each file of another tool becomes a result.",
        footer = {"", "Examples:", "  inferometer import vllm-inf-qps.json",
                "  inferometer import artifacts/ benchmarks.json.gz",
                "  inferometer import --format llama-bench bench.csv", "  inferometer import shared.inferometer", ""})
public final class ImportCommand extends JsonCommand {
    private static final String BUNDLE = "bundle";

    @Parameters(arity = "1..*", paramLabel = "FILE",
            description = "Bundles (.inferometer), result files of other tools, and folders of them.")
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
    public Integer call() throws UsageException, CommandException {
        if (format != null && !Importer.formats().contains(format)) {
            throw new UsageException(NearMisses.sentence("format", format, Importer.formats()));
        }
        Importer importer = new Importer(services().workspace().results());
        List<ImportedLine> lines = new ArrayList<>();
        List<IOException> faults = new ArrayList<>();
        boolean failed = false;
        for (Path given : files) {
            try {
                boolean folder = Files.isDirectory(given);
                if (folder && Files.isRegularFile(given.resolve(RecordFiles.EXPERIMENT))) {
                    throw new ResultFormatException(given,
                            "this is a result of Inferometer. Show it with: inferometer results show " + given);
                }
                List<Path> inside = folder ? ImportFolder.files(given) : List.of(given);
                int before = lines.size();
                List<IOException> unsupported = new ArrayList<>();
                for (Path file : inside) {
                    try {
                        lines.addAll(imported(importer, file));
                    } catch (UnsupportedFormatException e) {
                        unsupported.add(e);
                    } catch (ResultFormatException e) {
                        faults.add(e);
                    }
                }
                if (lines.size() == before) {
                    faults.addAll(unsupported);
                }
            } catch (IOException e) {
                faults.add(e);
                failed = e instanceof FileSystemException named && !given.toString().equals(named.getFile());
                if (failed) {
                    // The results cannot be written; nor could the next.
                    break;
                }
            }
        }
        print(lines, () -> lines.stream().map(this::text).collect(Collectors.joining()));
        if (failed) {
            throw new CommandException(faults.stream().map(FileFault::sentence).collect(Collectors.joining(" ")),
                    faults.getLast());
        }
        if (!faults.isEmpty()) {
            throw UsageException.of(faults);
        }
        return ExitCodes.DONE;
    }

    private List<ImportedLine> imported(Importer importer, Path file) throws IOException {
        if (BundleReader.isBundle(file)) {
            return bundled(file);
        }
        Importer.Imported imported = importer.read(file, Optional.ofNullable(format), services().clock().wall());
        return List.of(new ImportedLine(PlainText.of(file.toString()), String.valueOf(imported.folder().getFileName()),
                imported.folder().toString(), imported.format(), imported.runs(), imported.requests(),
                imported.notes()));
    }

    private List<ImportedLine> bundled(Path file) throws IOException {
        BundleReader.Unpacked unpacked = new BundleReader(services().workspace().results()).unpack(file);
        List<ImportedLine> lines = new ArrayList<>();
        for (Path folder : unpacked.folders().values()) {
            List<String> notes = lines.isEmpty() && !unpacked.manifest().notes().isEmpty()
                    ? List.of(PlainText.of(unpacked.manifest().notes())) : List.of();
            lines.add(new ImportedLine(PlainText.of(file.toString()), String.valueOf(folder.getFileName()),
                    folder.toString(), BUNDLE, ResultLibrary.manifest(folder).runFolders().size(), 0, notes));
        }
        return lines;
    }

    private String text(ImportedLine line) {
        if (line.format.equals(BUNDLE)) {
            return line.result + ": " + line.runs + (line.runs == 1 ? " run" : " runs") + " of a bundle\n"
                    + notes(line);
        }
        return line.result + ": " + line.runs + (line.runs == 1 ? " run" : " runs") + " of " + line.format + ", "
                + (line.requests == 0 ? "metrics only" : line.requests + " requests") + "\n" + notes(line);
    }

    private String notes(ImportedLine line) {
        return line.notes.stream().map(note -> AlignedColumns.paragraph(note, "  ", terminal().columns()))
                .collect(Collectors.joining());
    }
}
