package org.inferometer.wording;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Loads the program again with every sentence garbled on its way out: what [wording](org.inferometer.wording) returns, labels of the window,
/// and the sentences that values of records, plans and reports hold. What reads a sentence back then goes wrong.
final class GarblingLoader extends ClassLoader {
    private static final String PROGRAM = "org.inferometer.";
    private static final String WORDING = PROGRAM + "wording.";
    private static final Map<String, Set<String>> SENTENCES =
            Map.ofEntries(Map.entry("ui.fx.Messages", Set.of("text", "counted")),
                    Map.entry("experiment.PlanFault", Set.of("sentence", "in")),
                    Map.entry("record.Verdict$Condition", Set.of("name", "observed", "remedy")),
                    Map.entry("record.RunEvent$Note", Set.of("text")), Map.entry("report.Finding", Set.of("text")),
                    Map.entry("report.ReportTable", Set.of("title", "caption", "footnotes")),
                    Map.entry("report.charts.ChartData", Set.of("title", "footer")),
                    Map.entry("report.charts.ChartSheet", Set.of("title")),
                    Map.entry("report.compare.SchedulerExplanations$Paragraph", Set.of("heading", "seen")),
                    Map.entry("report.compare.GateResult$Check", Set.of("name", "sentence")),
                    Map.entry("report.compare.ResultComparison$Pair", Set.of("headline", "pairings")),
                    Map.entry("report.compare.QualityText", Set.of("unknown", "perplexity", "notMeasured")),
                    Map.entry("report.compare.ComparisonHeadline", Set.of("of", "subject")));
    private static final Set<ClassDesc> RETURNED = Set.of(ConstantDescs.CD_String, ConstantDescs.CD_List);
    private static final ClassDesc GARBLER = Garbler.class.describeConstable().orElseThrow();

    GarblingLoader() {
        super(GarblingLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PROGRAM)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = garbled(name, in.readAllBytes());
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] garbled(String name, byte[] code) {
        Set<String> sentences = SENTENCES.getOrDefault(name.substring(PROGRAM.length()), Set.of());
        ClassFile file = ClassFile.of();
        return file.transformClass(file.parse(code), (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent() && RETURNED.contains(type(method))
                    && ((name.startsWith(WORDING) && !name.contains("Garbl"))
                            || sentences.contains(method.methodName().stringValue()))) {
                builder.transformMethod(method, MethodTransform.transformingCode(garbling(type(method))));
            } else {
                builder.with(element);
            }
        });
    }

    private static ClassDesc type(MethodModel method) {
        return method.methodTypeSymbol().returnType();
    }

    private static CodeTransform garbling(ClassDesc type) {
        return (builder, element) -> {
            if (element instanceof ReturnInstruction) {
                builder.invokestatic(GARBLER, "garble", MethodTypeDesc.of(type, type));
            }
            builder.with(element);
        };
    }

    /// Called by what the loader garbles.
    public static final class Garbler {
        private Garbler() {}

        /// The text with each letter replaced by the next one of the alphabet, and other marks between and behind sentences; as long as before.
        public static String garble(String text) {
            StringBuilder garbled = new StringBuilder(text);
            for (int i = 0; i < text.length(); i++) {
                boolean last = i == text.length() - 1 || text.charAt(i + 1) == ' ';
                garbled.setCharAt(i, garbled(text.charAt(i), last));
            }
            return garbled.toString();
        }

        private static char garbled(char letter, boolean last) {
            return switch (letter) {
                case 'z' -> 'a';
                case 'Z' -> 'A';
                case '.' -> last ? '!' : letter;
                case ':' -> last ? ';' : letter;
                default -> Character.isLetter(letter) && letter < 'z' ? (char) (letter + 1) : letter;
            };
        }

        /// Each text of a list garbled.
        public static List<?> garble(List<?> texts) {
            return texts.stream().map(each -> each instanceof String text ? garble(text) : each).toList();
        }
    }
}
