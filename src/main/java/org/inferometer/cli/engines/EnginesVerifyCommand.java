package org.inferometer.cli.engines;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.EngineVerifier.Verification;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `engines verify`: checks that weights are unchanged since they were built.
@Command(name = "verify",
        description = "Compare the SHA-256 of weights with engine.json. Exits with 1 if an engine is damaged.",
        footer = {"", "Example:", "  inferometer engines verify tiny-fp8 tiny-int4", ""})
public final class EnginesVerifyCommand extends JsonCommand {
    private static final int BAR = 30;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Engines to check. See: inferometer engines list.")
    List<String> names = new ArrayList<>();

    public EnginesVerifyCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints for an engine.
    ///
    /// @param sha256 of the weights; empty if they cannot be read
    private record VerifiedEngine(String engine, boolean intact, String sha256, String sentence) {}

    @Override
    public Integer call() throws UsageException {
        List<VerifiedEngine> outcomes =
                EngineNames.find(services().engines(), names).stream().map(this::verify).toList();
        AlignedColumns table = new AlignedColumns("ENGINE", "STATE", "");
        outcomes.forEach(outcome -> table.row(outcome.engine, outcome.intact ? "intact" : "damaged", outcome.sentence));
        print(outcomes, () -> table.render(terminal().columns()));
        return outcomes.stream().allMatch(VerifiedEngine::intact) ? ExitCodes.DONE : ExitCodes.VERDICT_FAILED;
    }

    private VerifiedEngine verify(EngineEntry entry) {
        ProgressLine line = new ProgressLine(terminal(), services().clock());
        try {
            Verification found = EngineVerifier.verify(entry.folder(), fraction -> line.draw("reading " + entry.name()
                    + " " + ProgressLine.bar(fraction, BAR) + " " + Math.round(100 * fraction) + " %"));
            String sentence = found.intact()
                    ? "SHA-256 matches (" + QuantityText.bytes(found.bytes()) + "): " + found.actualSha256()
                    : "SHA-256 is " + found.actualSha256() + ", expected " + found.expectedSha256()
                            + ". Build it again with \"inferometer engines build --rebuild " + entry.name() + "\".";
            return new VerifiedEngine(entry.name(), found.intact(), found.actualSha256(), sentence);
        } catch (EngineFormatException unreadable) {
            return new VerifiedEngine(entry.name(), false, "", String.valueOf(unreadable.getMessage()));
        } finally {
            line.clear();
        }
    }
}
