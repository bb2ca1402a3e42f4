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
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.inferometer.results.AtomicFile;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileFault;

/// Holds the code to the rooms of docs/architecture.md and to its rules.
@AnalyzeClasses(packages = "org.inferometer", importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {
    private static final String BASE = "org.inferometer.";

    private static final RoomTable TABLE = RoomTable.of(Path.of("docs/architecture.md"));

    @ArchTest
    static void everyRoomHasARowAndEveryRowIsARoom(JavaClasses classes) {
        Set<String> rooms = classes.stream().map(JavaClass::getPackageName).filter(name -> name.startsWith(BASE))
                .map(name -> name.substring(BASE.length()).split("\\.")[0]).collect(Collectors.toSet());
        Assertions.assertThat(TABLE.rooms()).hasSameElementsAs(rooms).doesNotHaveDuplicates();
    }

    @ArchTest
    static void everyRoomImportsOnlyWhatTheArchitectureAllows(JavaClasses classes) {
        List<String> violations = new ArrayList<>();
        for (String room : TABLE.rooms()) {
            List<String> accepted = TABLE.accepted(room).map(name -> BASE + name).toList();
            ArchRule rule = noClasses().that().resideInAPackage(BASE + room + "..").should()
                    .dependOnClassesThat(inProjectBut(accepted)).allowEmptyShould(true);
            violations.addAll(rule.evaluate(classes).getFailureReport().getDetails());
        }
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
    static final ArchRule packagesHaveNoCycles = slices().matching("org.inferometer.(**)").should().beFreeOfCycles();

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
    static final ArchRule memoryOfTheHostBackendBelongsToNoThread = noClasses().that()
            .resideInAPackage("org.inferometer.execution.host..").or()
            .haveNameMatching(".*\\.execution\\.check\\.(Block|Cold|Host).*").and().doNotHaveSimpleName("OneDnn").and()
            .doNotHaveSimpleName("OneDnnProduct").should().callMethod(Arena.class, "ofConfined");

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
