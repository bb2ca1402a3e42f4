package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;

/// What a run is worth to a deployment: goodput, the share of requests served as asked, and the cost of a million output tokens.
final class GoalFigures {
    private static final double SECONDS_AN_HOUR = 3600;
    private static final double MILLION = 1e6;

    private GoalFigures() {}

    static List<Figure> of(List<RequestOutcome> measured, RunWindow window, DeploymentGoal goal) {
        List<Figure> figures = new ArrayList<>();
        SloAttainment attainment = new SloAttainment(goal.objective());
        if (!goal.objective().isEmpty()) {
            long good = measured.stream().filter(attainment::isMetBy).count();
            figures.add(new Figure(Metrics.GOODPUT, good / window.seconds(), measured.size(), true));
            figures.add(new Figure(Metrics.OBJECTIVE_MET, attainment.share(measured), measured.size(), true));
        }
        long tokens = RequestFigures.outputTokens(measured, window);
        if (goal.pricePerHour() > 0 && tokens > 0) {
            double tokensAnHour = tokens / window.seconds() * SECONDS_AN_HOUR;
            figures.add(
                    new Figure(Metrics.COST_PER_MILLION, goal.pricePerHour() / tokensAnHour * MILLION, tokens, true));
        }
        return figures;
    }
}
