package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import javafx.scene.Node;
import org.inferometer.report.document.Reports;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.report.ReportView;
import org.inferometer.ui.report.ReportViewModel;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.ReportSubject;
import org.inferometer.ui.results.ResultBundles;
import org.inferometer.ui.results.ResultsViewModel;

/// The Report view of the window; it reports the open comparison, else the open result. Belongs to the JavaFX thread.
final class ReportPane {
    private final ResultsViewModel results;
    private final ComparisonViewModel comparison;
    private final BundleActions bundles;
    private final ReportViewModel model;
    private final ReportView view;
    private final Node node;

    ReportPane(Reports reports, ResultsViewModel results, ComparisonViewModel comparison, BundleActions bundles,
            BackgroundWork work, FileDialogs dialogs, Notifier notifier) {
        this.results = results;
        this.comparison = comparison;
        this.bundles = bundles;
        model = new ReportViewModel(reports, work, notifier);
        view = new ReportView(model, dialogs, this::saveBundle, () -> results.newest().ifPresentOrElse(results::open,
                () -> notifier.problem(text("timeline.no-results"))));
        node = view.createView();
        results.opened().addListener((observed, before, now) -> follow());
        comparison.title().addListener((observed, before, now) -> follow());
    }

    private void follow() {
        model.choose(ReportSubject.of(results, comparison));
    }

    private void saveBundle() {
        bundles.save(new ResultBundles.Wish(model.shareSafe().get(), model.notes().get()));
    }

    Node node() {
        return node;
    }

    void setShowing(boolean shown) {
        follow();
        model.setShowing(shown);
    }

    void focusFirst() {
        view.focusFirst();
    }
}
