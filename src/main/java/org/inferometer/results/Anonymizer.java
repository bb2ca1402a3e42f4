package org.inferometer.results;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Phase;
import org.inferometer.record.PlannedSubject;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.WindowUse;
import org.inferometer.units.FileName;
import org.inferometer.workload.RequestId;

/// Copies an experiment without host, user and paths. Each part is read, cleaned and written again: the copy holds nothing outside the
/// format and nothing that the reader skipped. One thread.
public final class Anonymizer {
    private TextAnonymizer text;
    private final Map<TextAnonymizer.Removed, Integer> removed = new EnumMap<>(TextAnonymizer.Removed.class);
    private int requestTexts;

    /// @param text removes host, user and paths
    public Anonymizer(TextAnonymizer text) {
        this.text = text;
    }

    /// Writes a copy into a folder that is missing or empty. The folder appears when the copy is complete.
    public void copy(ExperimentRecord experiment, Path folder) throws IOException {
        if (Files.exists(folder.resolve(RecordFiles.EXPERIMENT))) {
            throw new IOException(folder + " already holds an experiment. Choose another folder.");
        }
        text = text.with(List.of(experiment));
        try (UnfinishedFolder unfinished = UnfinishedFolder.beside(folder)) {
            try (ResultFiles files = new ResultFiles()) {
                for (RunRecord run : experiment.runs()) {
                    copy(files, run, unfinished.content().resolve(run.folderName()));
                }
                files.saveExperiment(unfinished.content(), cleaned(experiment.manifest()));
            }
            unfinished.publish();
        } catch (FileAlreadyExistsException e) {
            throw new IOException(folder + " is not empty. Choose another folder.", e);
        }
    }

    private void copy(ResultFiles files, RunRecord run, Path folder) throws IOException {
        try (RecordSink sink = files.openRun(folder, cleaned(run.manifest()))) {
            for (RequestOutcome request : run.observations().requests()) {
                sink.request(cleaned(request));
            }
            for (StepReport step : run.observations().steps()) {
                sink.step(step);
            }
            for (TelemetrySample sample : run.observations().telemetry()) {
                sink.telemetry(sample);
            }
            for (RunEvent event : run.events()) {
                // Prompts and answers are not shared.
                if (event instanceof RunEvent.RequestText) {
                    requestTexts++;
                } else {
                    sink.event(cleaned(event));
                }
            }
        }
    }

    private String clean(String part) {
        return text.of(part, kind -> removed.merge(kind, 1, Integer::sum));
    }

    /// What the copies lack, with the number of texts: "paths in 12 texts". Prompts and answers are counted by request.
    public List<String> removed() {
        List<String> parts = new ArrayList<>();
        removed.forEach((kind, texts) -> parts.add(kind.label() + " in " + texts + (texts == 1 ? " text" : " texts")));
        if (requestTexts > 0) {
            parts.add("prompts and answers of " + requestTexts + (requestTexts == 1 ? " request" : " requests"));
        }
        return parts;
    }

    private RunEvent cleaned(RunEvent event) {
        return switch (event) {
            case RunEvent.Note(long nanos, Phase phase, String sentence) ->
                new RunEvent.Note(nanos, phase, clean(sentence));
            case RunEvent.Gauge(long nanos, String name, double value) -> new RunEvent.Gauge(nanos, clean(name), value);
            case RunEvent.HistogramGrew(long nanos, String name, boolean first, var added) ->
                new RunEvent.HistogramGrew(nanos, clean(name), first, added);
            case RunEvent.RequestVariant(long nanos, RequestId request, String variant) ->
                new RunEvent.RequestVariant(nanos, request, clean(variant));
            case RunEvent.TargetMessage(long nanos, String sentence) ->
                new RunEvent.TargetMessage(nanos, clean(sentence));
            case RunEvent.EngineFailed(long nanos, String reason) -> new RunEvent.EngineFailed(nanos, clean(reason));
            case RunEvent.ImportNote(long nanos, String tool, String sentence) ->
                new RunEvent.ImportNote(nanos, clean(tool), clean(sentence));
            case RunEvent.PhaseStarted _,RunEvent.Admitted _,RunEvent.Preempted _,RunEvent.KvTransferred _,RunEvent.MemoryPeak _,RunEvent.TokenCountsContradicted _,RunEvent.ReportedTimes _,RunEvent.CachedPrompt _,RunEvent.PromptTexts _,RunEvent.RequestText _ ->
                event;
        };
    }

    private RequestOutcome cleaned(RequestOutcome request) {
        return request.reason().isEmpty() ? request
                : new RequestOutcome(request.id(), request.warmUp(), request.promptTokens(),
                        request.askedOutputTokens(), request.intendedNanos(), request.sentNanos(),
                        request.admittedNanos(), request.prefillStartNanos(), request.endNanos(), request.status(),
                        clean(request.reason()), request.eventNanos(), request.eventTokens(), request.outputTokens(),
                        request.source(), request.askedPromptTokens(), request.eventAnswers());
    }

    private RunManifest cleaned(RunManifest manifest) throws IOException {
        WindowUse window = manifest.window();
        RunManifest bare = new RunManifest(manifest.formatVersion(), bare(manifest.plan()), manifest.machine(),
                manifest.system(), manifest.workloadHash(), manifest.anchorWall(), manifest.outcome(),
                window == null ? null : window.withoutTexts());
        return ManifestJson.withTexts(bare, RunManifest.class, this::clean);
    }

    private ExperimentManifest cleaned(ExperimentManifest manifest) throws IOException {
        ExperimentManifest bare = new ExperimentManifest(manifest.formatVersion(), manifest.id(), manifest.spec(),
                manifest.plan().stream().map(this::bare).toList(), manifest.machine(), manifest.times(),
                manifest.outcome(), true);
        return ManifestJson.withTexts(bare, ExperimentManifest.class, this::clean);
    }

    /// Folders are reduced to their names.
    private RunPlan bare(RunPlan plan) {
        PlannedSubject subject = switch (plan.subject()) {
            case PlannedEngine engine -> engine.in(lastName(engine.engineFolder()));
            case PlannedTarget target -> target;
        };
        return plan.in(subject, lastName(plan.folder()));
    }

    private String lastName(String path) {
        String name = FileName.last(path);
        if (!name.equals(path)) {
            removed.merge(TextAnonymizer.Removed.PATH, 1, Integer::sum);
        }
        return name;
    }
}
