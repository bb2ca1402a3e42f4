package org.inferometer.cli.run;

import java.util.List;
import java.util.Locale;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.report.AlignedColumns;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.units.OneLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `probe`: checks a server before it is measured.
@Command(name = "probe",
        description = "Check a server before it is measured: models, version, gauges, streaming and token counts, with one short request. Exits with 1 if a check fails.",
        footer = {"", "Examples:", "  inferometer probe http:url=http://127.0.0.1:8000",
                "  inferometer probe http:url=https://gate.example/v1,model=llama,api_key_env=GATE_KEY --json", ""})
public final class ProbeCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "TARGET", description = "A server, as in --target of run.")
    String target = "";

    public ProbeCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, InterruptedException {
        List<ProbeCheck> checks;
        try {
            Selection selection = Selection.parse(target);
            TargetKind kind = services().registries().targets().find(selection.name());
            checks = kind.probe(selection);
            if (checks.isEmpty()) {
                throw new UsageException(
                        kind.name() + " cannot be checked before it runs. Give a server that runs, as in"
                                + " http:url=http://127.0.0.1:8000.");
            }
        } catch (OptionException e) {
            throw new UsageException(e.faults());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        AlignedColumns table = new AlignedColumns("CHECK", "STATE", "");
        checks.forEach(check -> table.row(check.name(), check.outcome().name().toLowerCase(Locale.ROOT),
                OneLine.of(check.sentence())));
        print(checks, () -> table.render(terminal().columns()));
        return checks.stream().anyMatch(check -> check.outcome() == ProbeCheck.Outcome.FAILED)
                ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }
}
