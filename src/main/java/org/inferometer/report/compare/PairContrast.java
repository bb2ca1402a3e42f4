package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;

/// What differs between the two sides of a pair, and what does not.
///
/// @param differs "precision FP8 → INT4", "requests"
/// @param unknown "device": not known of a side or of both
/// @param same "model", "workload"
public record PairContrast(List<String> differs, List<String> unknown, List<String> same) {
    static PairContrast of(ComparedSide base, ComparedSide candidate) {
        List<String> differs = new ArrayList<>(SettingDifferences.changes(base.cell(), candidate.cell()));
        String before = SideNames.precision(base);
        String after = SideNames.precision(candidate);
        if (base.model().equals(candidate.model()) && !before.isEmpty() && !after.isEmpty()) {
            differs.replaceAll(change -> change.startsWith("engine ") ? "precision " + before + " → " + after : change);
        }
        List<String> unknown = new ArrayList<>();
        List<String> same = new ArrayList<>(List.of("model", "workload", "seeds", "device"));
        for (String difference : candidate.differencesFrom(base)) {
            String head = head(difference);
            (head.contains(" not known ") ? unknown : differs)
                    .add(head.replaceFirst("^(requests|workloads)", "drawn requests")
                            .replaceFirst(" (differs?|(is|are) not known .*)$", ""));
            same.removeIf(
                    each -> head.startsWith(each) || ((head.startsWith("requests") || head.startsWith("workloads"))
                            && (each.equals("workload") || each.equals("seeds"))));
        }
        if (base.cell().subject() instanceof EngineSubject one
                && candidate.cell().subject() instanceof EngineSubject other) {
            add(same, "scheduler", one.scheduler().equals(other.scheduler()));
            add(same, "backend", one.backend().equals(other.backend()));
            add(same, "limits", one.limits().equals(other.limits()));
        } else if (base.cell().subject() instanceof TargetSubject) {
            add(same, "target", base.cell().subject().equals(candidate.cell().subject()));
        }
        same.add("definitions");
        return new PairContrast(List.copyOf(differs), List.copyOf(unknown), List.copyOf(same));
    }

    private static void add(List<String> same, String name, boolean equal) {
        if (equal) {
            same.add(name);
        }
    }

    /// "requests differ" of "Requests differ: 2 of 3 seeds shared."
    static String head(String sentence) {
        String head = sentence.replaceFirst(" ?[:.(].*", "");
        return head.substring(0, 1).toLowerCase(Locale.ROOT) + head.substring(1);
    }

    /// "Differs: precision FP8 → INT4. Same: model, workload, seeds, device, definitions."
    public String text() {
        return "Differs: " + (differs.isEmpty() ? "no setting" : String.join("; ", differs))
                + (unknown.isEmpty() ? "" : ". Not known: " + String.join(", ", unknown)) + ". Same: "
                + String.join(", ", same) + ".";
    }
}
