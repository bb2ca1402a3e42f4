package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.bundle.BundleManifest;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `results bundle`: results with their report and notes in one file.
@Command(name = "bundle",
        description = "Write results, their report and notes into one file that opens as the same picture elsewhere.",
        footer = {"", "Open it with \"inferometer FILE\" or \"inferometer import FILE\".", "", "Examples:",
                "  inferometer results bundle latest -o quick.inferometer",
                "  inferometer results bundle before after -o change.inferometer --notes \"Chunks of 512 tokens\"", ""})
public final class ResultsBundleCommand extends JsonCommand {
    @Parameters(arity = "1..*", paramLabel = "RESULT",
            description = "Result IDs, folders or latest. Several open as a comparison with the first as the base.")
    List<String> named = new ArrayList<>();

    @Option(names = {"--out", "-o"}, required = true, paramLabel = "FILE",
            description = "The bundle; its name must end in .inferometer.")
    Path out = Path.of("");

    @Option(names = "--notes", paramLabel = "TEXT", description = "Notes for the reader.")
    String notes = "";

    @Option(names = "--exact",
            description = "Copy the records as they are. Default: without host, user, paths, prompts and answers.")
    boolean exact;

    public ResultsBundleCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints.
    private record WrittenBundle(String file, List<String> results, boolean shareSafe, List<String> removed) {}

    @Override
    public Integer call() throws UsageException, CommandException {
        if (!BundleReader.isBundle(out)) {
            throw new UsageException(out + " is not a bundle: its name must end in " + BundleWriter.ENDING + ".");
        }
        List<ExperimentRecord> results = new ArrayList<>();
        for (String name : named) {
            results.add(new ResultFinder(services()).open(name));
        }
        BundleWriter writer = new BundleWriter(services().machine().inferometerVersion(),
                exact ? Optional.empty() : Optional.of(TextAnonymizer.ofThisMachine(services().environment())));
        BundleView view = BundleView.of(writer.folders(results.stream().map(ExperimentRecord::folder).toList()));
        try {
            BundleManifest written = writer.write(
                    new BundleWriter.Contents(results, view, notes,
                            services().reports().of(results, ReportOutline.USUAL).bytes(ReportFormat.HTML)),
                    services().clock().wall(), out);
            String file = PlainText.of(out.toString());
            print(new WrittenBundle(file, written.results(), written.shareSafe(), written.removed()),
                    () -> "wrote " + file + "\n" + removed(written));
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
        return ExitCodes.DONE;
    }

    private static String removed(BundleManifest written) {
        if (!written.shareSafe()) {
            return "The records are exact copies: they may name host, user and paths, and hold prompts.\n";
        }
        return written.removed().isEmpty() ? "Nothing private was found in the records.\n"
                : "Removed from the copy: " + String.join(", ", written.removed()) + ".\n";
    }
}
