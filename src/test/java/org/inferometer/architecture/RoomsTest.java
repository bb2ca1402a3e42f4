package org.inferometer.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.Assertions;
import org.inferometer.results.AtomicFile;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileFault;

/// Holds the code to the rooms of docs/architecture.md and to its rules.
@AnalyzeClasses(packages = "org.inferometer", importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {
    private static final String BASE = "org.inferometer.";

    /// Rooms whose sub-rooms only those see that name them.
    private static final List<String> BACK_ROOMS = List.of("execution", "target");

    /// Which rooms a room may import, `units` and `options` always included.
    private static final Map<String, List<String>> MAY_IMPORT = mayImport();

    private static Map<String, List<String>> mayImport() {
        Map<String, List<String>> rooms = new LinkedHashMap<>();
        rooms.put("units", List.of());
        rooms.put("options", List.of());
        rooms.put("yaml", List.of());
        rooms.put("natives", List.of());
        rooms.put("engine", List.of("yaml", "natives"));
        rooms.put("workload", List.of("engine"));
        rooms.put("scheduling", List.of("workload"));
        rooms.put("plugin", List.of("engine", "scheduling"));
        rooms.put("execution", List.of("engine", "workload", "scheduling", "natives"));
        rooms.put("prompting", List.of("engine", "workload", "scheduling", "execution"));
        rooms.put("quality", List.of("engine", "workload", "scheduling", "execution", "prompting"));
        rooms.put("quantising", List.of("engine", "execution.backend"));
        rooms.put("experiment", List.of("yaml", "engine", "workload", "scheduling"));
        rooms.put("record", List.of("workload", "scheduling", "experiment"));
        rooms.put("target", List.of("engine", "workload", "record"));
        rooms.put("serving", List.of("engine", "workload", "scheduling", "execution", "record", "target"));
        rooms.put("telemetry", List.of("record", "natives"));
        List<String> values = List.of("workload", "scheduling", "experiment", "record");
        rooms.put("measurement", values);
        rooms.put("finding", List.of());
        rooms.put("wording", List.of("finding"));
        rooms.put("load", List.of("workload", "scheduling", "record", "serving", "target"));
        rooms.put("run", plus(values, "engine", "execution", "serving", "target", "telemetry", "measurement", "load"));
        rooms.put("selfcheck",
                plus(values, "engine", "execution", "serving", "target..", "telemetry", "measurement", "load", "run"));
        rooms.put("results", plus(values, "measurement", "telemetry"));
        rooms.put("remote", plus(values, "engine", "execution", "run", "results"));
        rooms.put("report", plus(values, "measurement", "telemetry", "results", "finding", "wording"));
        rooms.put("chart", List.of("report", "record"));
        List<String> twins = plus(values, "engine", "execution", "prompting", "quality", "quantising", "target",
                "telemetry", "measurement", "run", "selfcheck", "results", "remote", "finding", "wording", "report",
                "chart", "suite", "plugin");
        rooms.put("suite", plus(values, "yaml", "engine", "target", "measurement", "run", "results", "report"));
        rooms.put("cli", twins);
        rooms.put("ui", plus(twins, "natives"));
        return rooms;
    }

    private static List<String> plus(List<String> rooms, String... more) {
        List<String> all = new ArrayList<>(rooms);
        all.addAll(List.of(more));
        return all;
    }

    @ArchTest
    static void everyRoomImportsOnlyWhatTheArchitectureAllows(JavaClasses classes) {
        List<String> violations = new ArrayList<>();
        MAY_IMPORT.forEach((room, allowed) -> {
            List<String> accepted = new ArrayList<>(List.of("java..", "javax..", "jdk..", BASE + room + ".."));
            if (!room.equals("units")) {
                accepted.add(BASE + "units..");
                accepted.add(BASE + "options..");
            }
            allowed.forEach(other -> accepted
                    .add(BASE + other + (BACK_ROOMS.contains(other) || other.endsWith("..") ? "" : "..")));
            ArchRule rule = noClasses().that().resideInAPackage(BASE + room + "..").should()
                    .dependOnClassesThat(inProjectBut(accepted)).allowEmptyShould(true);
            EvaluationResult result = rule.evaluate(classes);
            violations.addAll(result.getFailureReport().getDetails());
        });
        Assertions.assertThat(violations).isEmpty();
    }

    private static DescribedPredicate<JavaClass> inProjectBut(List<String> accepted) {
        DescribedPredicate<JavaClass> project = JavaClass.Predicates.resideInAPackage("org.inferometer..");
        return project
                .and(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(accepted.toArray(String[]::new))));
    }

    @ArchTest
    static final ArchRule roomsHaveNoCycles = slices().matching("org.inferometer.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule slurmKnowsNoTests = noClasses().that().resideInAPackage("org.inferometer.suite.slurm..")
            .should().dependOnClassesThat(inProjectBut(List.of(BASE + "suite.slurm..", BASE + "units.."))
                    .and(DescribedPredicate.not(JavaClass.Predicates.equivalentTo(AtomicFile.class))));

    @ArchTest
    static final ArchRule javaFxStaysInTheDesktop =
            noClasses().that().resideOutsideOfPackages("org.inferometer.ui..", "org.inferometer.app..").should()
                    .dependOnClassesThat().resideInAnyPackage("javafx..");

    @ArchTest
    static final ArchRule viewModelsKnowNoScene = noClasses().that().haveSimpleNameEndingWith("ViewModel").should()
            .dependOnClassesThat().resideInAPackage("javafx.scene..").allowEmptyShould(true);

    @ArchTest
    static final ArchRule awtAndJFreeChartStayInTheChartRoom = noClasses().that()
            .resideOutsideOfPackage("org.inferometer.chart..").and().haveNameNotMatching(".*\\.ChartDrawing(\\$.*)?")
            .should().dependOnClassesThat().resideInAnyPackage("java.awt..", "org.jfree..");

    @ArchTest
    static final ArchRule vectorsStayInTheHostBackend =
            noClasses().that().resideOutsideOfPackage("org.inferometer.execution.host..").should().dependOnClassesThat()
                    .resideInAPackage("jdk.incubator.vector..");

    /// Calls that load a native library. Their callers get the file from `natives` first, or name a library of a driver.
    private static final Set<String> LOADING =
            Set.of("System.load", "System.loadLibrary", "Runtime.load", "Runtime.loadLibrary",
                    "SymbolLookup.libraryLookup", "SystemInfo.<init>", "HuggingFaceTokenizer.newInstance",
                    "HuggingFaceTokenizer.builder", "Platform.startup", "Application.launch");

    @ArchTest
    static void nativeLibrariesAreLoadedByFewClasses(JavaClasses classes) {
        Set<String> loading = new TreeSet<>();
        classes.forEach(each -> each.getAccessesFromSelf().forEach(access -> {
            String call = access.getTargetOwner().getSimpleName() + "." + access.getTarget().getName();
            if (LOADING.contains(call)) {
                loading.add(each.getSimpleName() + ": " + call);
            }
        }));
        Assertions.assertThat(loading).containsExactly("CublasLt: SymbolLookup.libraryLookup",
                "CudaDriverProbe: SymbolLookup.libraryLookup", "JavaFxStart: Platform.startup",
                "LaunchFunction: SymbolLookup.libraryLookup", "MachineProbe: SystemInfo.<init>",
                "NvmlLibrary: SymbolLookup.libraryLookup", "OneDnn: SymbolLookup.libraryLookup",
                "TrainedTokenizer: HuggingFaceTokenizer.newInstance");
    }

    @ArchTest
    static final ArchRule jcudaStaysInTheCudaBackend =
            noClasses().that().resideOutsideOfPackage("org.inferometer.execution.cuda..").should().dependOnClassesThat()
                    .resideInAPackage("jcuda..");

    /// Where confined memory is read much, C2 expects an owner of memory and hoists a check that kernels always fail. They are then compiled
    /// again and again (decision 58). The two named classes read single values.
    @ArchTest
    static final ArchRule memoryOfTheHostBackendBelongsToNoThread =
            noClasses().that().resideInAPackage("org.inferometer.execution.host..").and().doNotHaveSimpleName("OneDnn")
                    .and().doNotHaveSimpleName("OneDnnProduct").should().callMethod(Arena.class, "ofConfined");

    @ArchTest
    static final ArchRule clocksAndRandomnessComeFromUnits =
            noClasses().that().resideOutsideOfPackage("org.inferometer.units..").should()
                    .callMethod(System.class, "nanoTime").orShould().callMethod(System.class, "currentTimeMillis")
                    .orShould().callMethod(Math.class, "random").orShould().callConstructor(java.util.Random.class);

    @ArchTest
    static final ArchRule environmentIsReadInOnePlace =
            noClasses().that().doNotHaveFullyQualifiedName(EnvironmentVariables.class.getName()).should()
                    .callMethod(System.class, "getenv").orShould().callMethod(System.class, "getenv", String.class);

    @ArchTest
    static final ArchRule onlyTheCommandLineSpeaksOnStandardOutput =
            noClasses().that().resideOutsideOfPackages("org.inferometer.cli..", "org.inferometer.app..").and()
                    // A process of its own, whose output is its protocol.
                    .doNotHaveSimpleName("ServerKeeper").should().accessField(System.class, "out").orShould()
                    .accessField(System.class, "err");

    @ArchTest
    static final ArchRule threadsAreMadeWhereTheArchitectureSays = noClasses().that()
            .resideOutsideOfPackages("org.inferometer.load..", "org.inferometer.run..", "org.inferometer.selfcheck..",
                    "org.inferometer.serving..", "org.inferometer.engine..", "org.inferometer.cli..",
                    "org.inferometer.execution..", "org.inferometer.target..", "org.inferometer.telemetry..",
                    "org.inferometer.suite..", "org.inferometer.quantising..", "org.inferometer.remote..",
                    "org.inferometer.ui.fx..")
            .should().callMethod(Thread.class, "ofPlatform").orShould().callMethod(Thread.class, "ofVirtual").orShould()
            .callMethod(Thread.class, "startVirtualThread", Runnable.class).orShould()
            .callConstructor(Thread.class, Runnable.class).orShould().dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.Executors");

    /// Java's own messages lack the path or the reason; network errors name neither.
    @ArchTest
    static final ArchRule messagesOfFileErrorsComeFromFileFault =
            noClasses().that().doNotHaveFullyQualifiedName(FileFault.class.getName()).and()
                    .resideOutsideOfPackage("org.inferometer.target.http..").should()
                    .callMethodWhere(DescribedPredicate.describe("the message of an IOException of Java is read",
                            call -> call.getName().equals("getMessage")
                                    && call.getTargetOwner().isAssignableTo(IOException.class)
                                    && call.getTargetOwner().getPackageName().startsWith("java.")));

    @ArchTest
    static final ArchRule noStateIsStaticAndMutable =
            fields().that().areStatic().and().doNotHaveModifier(JavaModifier.SYNTHETIC).should().beFinal();

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = classes().should().haveSimpleNameNotEndingWith("Manager").andShould()
            .haveSimpleNameNotEndingWith("Util").andShould().haveSimpleNameNotEndingWith("Utils").andShould()
            .haveSimpleNameNotEndingWith("Helper").andShould().haveSimpleNameNotEndingWith("Misc");
}
