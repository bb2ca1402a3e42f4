package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.measurement.definitions.DefinedFigure;
import org.inferometer.measurement.definitions.DefinedFigure.Move;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.compare.DefinitionText;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.timeline.RunChoice;
import org.jspecify.annotations.Nullable;

/// One run under the definitions of a tool. Belongs to the UI thread; computes in the background.
final class DefinitionViewModel {
    private final DeploymentGoal goal;
    private final LatestWork work;
    private final List<RunChoice> choices;
    private final List<RunRecord> runs;
    private final ObjectProperty<@Nullable RunRecord> run = new SimpleObjectProperty<>();
    private final ObjectProperty<Definition> definition = new SimpleObjectProperty<>(Definition.INFEROMETER);
    private final ReadOnlyObjectWrapper<Optional<DefinitionSheet>> sheet =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");

    DefinitionViewModel(ExperimentRecord experiment, BackgroundWork work) {
        this.goal = experiment.manifest().spec().goal();
        this.work = new LatestWork(work);
        choices = RunChoice.all(experiment);
        runs = experiment.runs().stream().filter(each -> each.manifest().status() == RunStatus.COMPLETE).toList();
        run.set(runs.isEmpty() ? null : runs.getFirst());
        run.addListener((observed, before, now) -> refresh());
        definition.addListener((observed, before, now) -> refresh());
    }

    /// Recomputes the metrics; the latest selection wins.
    void refresh() {
        RunRecord chosen = run.get();
        if (chosen == null) {
            return;
        }
        Definition tool = definition.get();
        problem.set("");
        work.run(WindowWork.DEFINITIONS, () -> DefinitionSheet.of(tool, DefinitionText.figures(chosen, tool, goal)),
                made -> sheet.set(Optional.of(made)), failure -> {
                    sheet.set(Optional.empty());
                    problem.set(ErrorText.sentence(failure));
                });
    }

    /// The complete runs.
    List<RunRecord> runs() {
        return runs;
    }

    /// Label of a run: "2: tiny-int4 · continuous · repetition 1".
    String label(RunRecord named) {
        return choices.stream().filter(choice -> choice.run() == named).map(RunChoice::label).findFirst().orElse("");
    }

    /// The selected run; null when none is complete.
    ObjectProperty<@Nullable RunRecord> run() {
        return run;
    }

    /// The selected tool.
    ObjectProperty<Definition> definition() {
        return definition;
    }

    /// The recomputed metrics; empty at first.
    ReadOnlyObjectProperty<Optional<DefinitionSheet>> sheet() {
        return sheet.getReadOnlyProperty();
    }

    /// Whether metrics are being computed.
    ReadOnlyBooleanProperty working() {
        return work.running();
    }

    /// The error, or empty.
    ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// The metrics of a run under the definitions of a tool, as text.
    ///
    /// @param rules that changed a value; the table refers to them by number, from 1
    /// @param table one row per metric; empty when nothing can be recomputed
    /// @param caveats rules of the tool that a record cannot reproduce
    record DefinitionSheet(Definition definition, List<String> rules, ReportTable table, List<String> caveats) {
        static DefinitionSheet of(Definition definition, List<DefinedFigure> figures) {
            if (definition == Definition.INFEROMETER) {
                return new DefinitionSheet(definition, List.of(),
                        table(List.of(Column.text(text("definition.figure")), Column.number(definition.label(), "")),
                                figures, figure -> List.of(FigureText.label(figure.metric()),
                                        DefinitionText.value(figure.metric(), figure.here()))),
                        List.of());
            }
            List<String> rules =
                    figures.stream().flatMap(figure -> figure.moves().stream()).map(Move::text).distinct().toList();
            List<Column> columns = List.of(Column.text(text("definition.figure")),
                    Column.text(text("definition.named", definition.label())),
                    Column.number(Definition.INFEROMETER.label(), ""), Column.number(definition.label(), ""),
                    Column.number(text("definition.change"), ""), Column.text(text("definition.moved-by")));
            return new DefinitionSheet(definition, rules, table(columns, figures, figure -> row(figure, rules)),
                    definition.caveats());
        }

        private static ReportTable table(List<Column> columns, List<DefinedFigure> figures,
                Function<DefinedFigure, List<String>> row) {
            return new ReportTable("", "", columns, figures.stream().map(row).map(Row::of).toList(), List.of());
        }

        /// The rules with numbers: "(1) vLLM starts the clock when ...".
        List<String> numberedRules() {
            return IntStream.range(0, rules.size()).mapToObj(rule -> text("definition.rule", rule + 1, rules.get(rule)))
                    .toList();
        }

        private static List<String> row(DefinedFigure figure, List<String> rules) {
            Metric metric = figure.metric();
            String moves = figure.moves().stream().map(
                    move -> text("definition.by", rules.indexOf(move.text()) + 1, DefinitionText.step(metric, move))
                            .strip())
                    .collect(Collectors.joining(", "));
            return List.of(FigureText.label(metric), figure.there().isPresent() ? figure.name() : "",
                    DefinitionText.value(metric, figure.here()), DefinitionText.value(metric, figure.there()),
                    change(figure), moves);
        }

        private static String change(DefinedFigure figure) {
            return figure.here().filter(ours -> ours != 0)
                    .flatMap(ours -> figure.there().map(theirs -> FigureText.signed((theirs - ours) / Math.abs(ours))))
                    .orElse(FigureText.NOT_APPLICABLE);
        }
    }
}
