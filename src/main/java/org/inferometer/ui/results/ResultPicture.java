package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.record.Verdict;
import org.inferometer.report.Finding;
import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.chart.ChartTile;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.TileGrid;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.wording.HeadedText;
import org.kordamp.ikonli.javafx.FontIcon;

/// The picture of a result: the answer in a sentence, the charts that show it, and the other findings. [#dispose] ends the charts.
public final class ResultPicture {
    /// Columns of charts and their least width, with texts of the usual size.
    static final int ACROSS = 2;
    static final double NARROWEST = 330;
    private final List<ChartTile> tiles = new ArrayList<>();
    private final ChartTools tools;
    private final String id;

    /// @param id names the nodes: "result"
    public ResultPicture(ChartTools tools, String id) {
        this.tools = tools;
        this.id = id;
    }

    /// Opens the chart of a finding that is not in the picture.
    public interface ChartOpener {
        /// There are no other charts.
        ChartOpener NONE = new ChartOpener() {
            @Override
            public boolean opens() {
                return false;
            }

            @Override
            public void open(Finding finding) {}
        };

        /// Whether there are other charts.
        default boolean opens() {
            return true;
        }

        /// Shows the chart of a finding.
        void open(Finding finding);
    }

    /// The nodes from top to bottom; called once.
    ///
    /// @param findings the answer first
    /// @param next stands beside the answer
    /// @param others opens charts that are not among these
    public List<Node> createView(List<Finding> findings, List<ChartData> charts, boolean invalid, Optional<Node> next,
            ChartOpener others) {
        List<Node> nodes = new ArrayList<>();
        if (!findings.isEmpty()) {
            HBox answer = answer(findings.getFirst().words(), invalid);
            next.ifPresent(answer.getChildren()::add);
            nodes.add(answer);
        } else {
            next.ifPresent(nodes::add);
        }
        tiles.addAll(ChartTile.of(tools, id + "-", charts));
        tiles.forEach(tile -> tile.getStyleClass().add(StyleClasses.PICTURE_TILE));
        List<Node> tilesAndFindings = new ArrayList<>(tiles);
        if (findings.size() > 1) {
            tilesAndFindings.add(findings(findings.subList(1, findings.size()), others));
        }
        ChartTile.sharedLegend(tiles).ifPresent(nodes::add);
        if (!tilesAndFindings.isEmpty()) {
            nodes.add(new TileGrid(ACROSS, NARROWEST, tools.window().textScale(), tilesAndFindings));
        }
        return nodes;
    }

    /// The charts.
    List<ChartTile> tiles() {
        return tiles;
    }

    /// Ends the charts.
    public void dispose() {
        tiles.forEach(ChartTile::dispose);
        tiles.clear();
    }

    /// The answer, and below it how far it holds.
    private HBox answer(HeadedText words, boolean invalid) {
        VBox sentences =
                new VBox(2, Panes.named(id + "-answer", Labels.wrapped(words.head(), StyleClasses.FIRST_FINDING)));
        if (!words.rest().isEmpty()) {
            sentences.getChildren().add(Panes.named(id + "-answer-more",
                    Labels.wrapped(words.rest().strip(), StyleClasses.OTHER_FINDINGS)));
        }
        FontIcon icon = invalid ? Labels.icon("mdal-error", StyleClasses.FINDING_FAULT)
                : Labels.icon("mdal-lightbulb", StyleClasses.FINDING_ICON);
        HBox.setHgrow(sentences, Priority.ALWAYS);
        return Panes.topRow(8, icon, sentences);
    }

    private Node findings(List<Finding> findings, ChartOpener others) {
        VBox list = Panes.named(id + "-findings", new VBox(6));
        for (Finding finding : findings) {
            VBox words = new VBox(Labels.wrapped(finding.text()));
            link(finding, others).ifPresent(words.getChildren()::add);
            list.getChildren().add(
                    Panes.topRow(8, Labels.icon("mdal-arrow_right", StyleClasses.FINDING_ICON), Panes.filling(words)));
        }
        return Panes.section(text("card.findings-title"), list);
    }

    /// A link to the chart of a finding; empty without one.
    private Optional<Node> link(Finding finding, ChartOpener others) {
        Optional<ChartTile> here = finding.chartAmong(tiles, tile -> tile.getId().substring(id.length() + 1));
        if (here.isEmpty() && (!others.opens() || finding.charts().isEmpty())) {
            return Optional.empty();
        }
        Hyperlink link = Panes.styled(
                Buttons.link(id + "-finding-chart", text("card.finding-chart", finding.shows()),
                        () -> here.ifPresentOrElse(ResultPicture::show, () -> others.open(finding))),
                Styles.TEXT_SMALL);
        return Optional.of(link);
    }

    /// Scrolls to a chart and gives it the focus.
    static void show(ChartTile tile) {
        for (Node around = tile.getParent(); around != null; around = around.getParent()) {
            if (around instanceof ScrollPane scroll) {
                Panes.reveal(scroll, tile);
                break;
            }
        }
        tile.host().requestFocus();
    }

    /// Whether a verdict is INVALID.
    public static boolean invalid(Optional<Verdict> verdict) {
        return verdict.map(Verdict::grade).filter(Verdict.Grade.INVALID::equals).isPresent();
    }
}
