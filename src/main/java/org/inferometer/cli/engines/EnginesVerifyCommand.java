package org.inferometer.cli.engines;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.LiveLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.WrongUse;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.EngineVerifier.Verification;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.report.AlignedColumns;
import org.inferometer.units.QuantityText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `engines verify`: whether the weights are the ones that were built.
@Command(name = "verify",
        description = "Reads all weights of engines and compares their hash with the one in engine.json. Exits with 1 when one is damaged.",
        footer = {"", "Example:", "  inferometer engines verify tiny-fp8 tiny-int4", ""})
public final class EnginesVerifyCommand implements Callable<Integer> {
    private static final int BAR = 30;

    private final RootCommand root;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Engines to check. See: inferometer engines list.")
    List<String> names = new ArrayList<>();

    @Mixin
    JsonOption json = new JsonOption();

    public EnginesVerifyCommand(RootCommand root) {
        this.root = root;
    }

    /// @param sha256 what was found; empty where the weights could not be read
    private record Outcome(String engine, boolean intact, String sha256, String sentence) {}

    @Override
    public Integer call() throws WrongUse {
        List<Outcome> outcomes = EngineNames.find(root.services().engines(), names).stream().map(this::verify).toList();
        if (json.asked) {
            json.print(root.terminal(), outcomes);
        } else {
            AlignedColumns table = new AlignedColumns("ENGINE", "STATE", "");
            outcomes.forEach(
                    outcome -> table.row(outcome.engine, outcome.intact ? "intact" : "damaged", outcome.sentence));
            root.terminal().out().print(table.render(root.terminal().columns()));
            root.terminal().out().flush();
        }
        return outcomes.stream().allMatch(Outcome::intact) ? ExitCodes.DONE : ExitCodes.VERDICT_FAILED;
    }

    private Outcome verify(EngineEntry entry) {
        LiveLine line = new LiveLine(root.terminal(), root.services().clock());
        try {
            Verification found = EngineVerifier.verify(entry.folder(), fraction -> line.draw("reading " + entry.name()
                    + " " + LiveLine.bar(fraction, BAR) + " " + Math.round(100 * fraction) + " %"));
            String sentence = found.intact()
                    ? QuantityText.bytes(found.bytes()) + " read, SHA-256 as built: " + found.actualSha256()
                    : "SHA-256 is " + found.actualSha256() + ", built was " + found.expectedSha256()
                            + ". Build it again with \"inferometer engines build --rebuild " + entry.name() + "\".";
            return new Outcome(entry.name(), found.intact(), found.actualSha256(), sentence);
        } catch (EngineFormatException unreadable) {
            return new Outcome(entry.name(), false, "", String.valueOf(unreadable.getMessage()));
        } finally {
            line.clear();
        }
    }
}
