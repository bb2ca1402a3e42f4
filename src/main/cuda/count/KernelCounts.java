import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Counts the machine code of compiled kernels, and compares such counts. build.sh runs it.
///
/// ```
/// java KernelCounts.java measure COMPILER {ARCH CUBIN REPORT}...   prints a table; REPORT is that of ptxas -v
/// java KernelCounts.java compare TABLE MEASURED   prints the second table; fails if a count grew, or kernels differ
/// ```
/// An instruction of compute capability 8.0 and newer has 16 bytes. Its opcode is in the lowest 12 bits, its guard
/// predicate in the next four. The main loop of a kernel is the innermost of its loops with tensor-core instructions;
/// without any it is the innermost of all. Of several, it is the one with the most tensor-core instructions, then with
/// the most instructions. A loop has all instructions from which its start can be reached again, also those that the
/// compiler placed elsewhere.
public final class KernelCounts {
    /// Growth that is accepted: one part in this many.
    private static final int ACCEPTED = 20;
    private static final String HEADING = String.format("%-6s %-22s%9s%10s%10s%10s%10s", "# arch", "kernel",
            "registers", "spilled", "shared", "loop", "tensor");

    private KernelCounts() {}

    /// The counts of a kernel.
    ///
    /// @param spilledBytes stores and loads of spilled registers
    /// @param sharedBytes static shared memory of a block
    /// @param loopInstructions of the main loop, 0 without a loop
    /// @param tensorInstructions of the main loop
    record Counts(int registers, int spilledBytes, int sharedBytes, int loopInstructions, int tensorInstructions) {}

    /// A kernel compiled for an architecture: "sm_90".
    record Compiled(String arch, String kernel) {
        @Override
        public String toString() {
            return kernel + " on " + arch;
        }
    }

    /// @param compiler the first line: the compiler that made the counts
    record Table(String compiler, Map<Compiled, Counts> rows) {}

    public static void main(String... args) throws IOException {
        if (args.length > 2 && args.length % 3 == 2 && args[0].equals("measure")) {
            System.out.println("# " + args[1]);
            System.out.println(HEADING);
            for (int i = 2; i < args.length; i += 3) {
                measure(args[i], Path.of(args[i + 1]), Path.of(args[i + 2]));
            }
        } else if (args.length == 3 && args[0].equals("compare")) {
            System.exit(compare(read(Path.of(args[1])), read(Path.of(args[2])), Path.of(args[1]).getFileName()));
        } else {
            System.err.println("Usage: measure COMPILER {ARCH CUBIN REPORT}..., or compare TABLE MEASURED");
            System.exit(2);
        }
    }

    private static void measure(String arch, Path cubin, Path report) throws IOException {
        boolean lowerBits = Integer.parseInt(arch.replaceAll("\\D", "")) >= Instruction.LOWER_BITS_SINCE;
        Map<String, List<Instruction>> code = Cubin.kernels(Files.readAllBytes(cubin));
        for (Map.Entry<String, Usage> kernel : Usage.read(Files.readString(report)).entrySet()) {
            List<Instruction> instructions = code.get(kernel.getKey());
            if (instructions == null) {
                throw new IOException(cubin + " has no code of " + kernel.getKey() + ", which ptxas reported.");
            }
            Loop loop = Flow.mainLoop(instructions, lowerBits);
            Usage usage = kernel.getValue();
            System.out.println(line(new Compiled(arch, kernel.getKey()), new Counts(usage.registers(),
                    usage.spilledBytes(), usage.sharedBytes(), loop.instructions(), loop.tensorInstructions())));
        }
    }

    private static String line(Compiled kernel, Counts counts) {
        return String.format(Locale.ROOT, "%-6s %-22s%9d%10d%10d%10d%10d", kernel.arch(), kernel.kernel(),
                counts.registers(), counts.spilledBytes(), counts.sharedBytes(), counts.loopInstructions(),
                counts.tensorInstructions());
    }

    private static Table read(Path file) throws IOException {
        String compiler = "";
        Map<Compiled, Counts> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.strip().split(" +");
            if (line.startsWith("#")) {
                compiler = compiler.isEmpty() ? line.substring(1).strip() : compiler;
            } else if (fields.length == 7) {
                int[] counts = Arrays.stream(fields, 2, 7).mapToInt(Integer::parseInt).toArray();
                rows.put(new Compiled(fields[0], fields[1]),
                        new Counts(counts[0], counts[1], counts[2], counts[3], counts[4]));
            } else if (!line.isBlank()) {
                throw new IOException(file + ": \"" + line + "\" is not a row of seven columns.");
            }
        }
        return new Table(compiler, rows);
    }

    /// The exit status.
    private static int compare(Table table, Table measured, Path name) {
        System.out.println(HEADING);
        List<String> faults = new ArrayList<>();
        boolean equalCompiler = table.compiler().equals(measured.compiler());
        measured.rows().forEach((kernel, counts) -> {
            Counts before = table.rows().get(kernel);
            System.out.println(line(kernel, counts) + (counts.equals(before) ? "" : "   " + before(before)));
            if (counts.spilledBytes() > 0) {
                faults.add(kernel + " spills " + counts.spilledBytes() + " bytes of registers.");
            }
            if (before == null) {
                faults.add(kernel + " is not in " + name + ": add it with build.sh --accept-counts.");
            } else if (equalCompiler) {
                grown(kernel, "registers", before.registers(), counts.registers(), name, faults);
                grown(kernel, "instructions in its main loop", before.loopInstructions(), counts.loopInstructions(),
                        name, faults);
            }
        });
        Set<Compiled> gone = table.rows().keySet().stream().filter(kernel -> !measured.rows().containsKey(kernel))
                .collect(Collectors.toSet());
        gone.forEach(kernel -> faults
                .add(kernel + " is in " + name + " but not in the module: remove it with build.sh --accept-counts."));
        if (!equalCompiler) {
            System.out.println("Growth was not checked: " + name + " was made by " + table.compiler()
                    + ", these counts by " + measured.compiler() + ".");
        }
        faults.forEach(fault -> System.err.println("build.sh: " + fault));
        return faults.isEmpty() ? 0 : 1;
    }

    private static String before(Counts before) {
        return before == null ? "new"
                : "was " + before.registers() + " " + before.spilledBytes() + " " + before.sharedBytes() + " "
                        + before.loopInstructions() + " " + before.tensorInstructions();
    }

    private static void grown(Compiled kernel, String unit, int before, int now, Path name, List<String> faults) {
        if ((now - before) * ACCEPTED > before) {
            faults.add(String.format(Locale.ROOT,
                    "%s has %d %s, %s has %d: shrink it, or accept it with build.sh --accept-counts.", kernel, now,
                    unit, name, before));
        }
    }

    /// Registers and memory of a kernel as reported by `ptxas -v`.
    record Usage(int registers, int spilledBytes, int sharedBytes) {
        private static final Pattern ENTRY = Pattern.compile("Compiling entry function '(\\w+)'");
        private static final Pattern SPILLS = Pattern.compile("(\\d+) bytes spill stores, (\\d+) bytes spill loads");
        private static final Pattern USED = Pattern.compile("Used (\\d+) registers");
        private static final Pattern SHARED = Pattern.compile("(\\d+) bytes smem");

        /// By kernel, in order of name.
        static Map<String, Usage> read(String report) {
            Map<String, Usage> usages = new TreeMap<>();
            String kernel = "";
            int spilled = 0;
            for (String line : report.lines().toList()) {
                Matcher entry = ENTRY.matcher(line);
                Matcher spills = SPILLS.matcher(line);
                Matcher used = USED.matcher(line);
                if (entry.find()) {
                    kernel = entry.group(1);
                    spilled = 0;
                } else if (spills.find()) {
                    spilled = Integer.parseInt(spills.group(1)) + Integer.parseInt(spills.group(2));
                } else if (used.find()) {
                    Matcher shared = SHARED.matcher(line);
                    usages.put(kernel, new Usage(Integer.parseInt(used.group(1)), spilled,
                            shared.find() ? Integer.parseInt(shared.group(1)) : 0));
                }
            }
            return usages;
        }
    }

    /// One instruction: two little-endian words.
    record Instruction(long low, long high) {
        static final int BYTES = 16;
        /// Since this architecture, branches have eight more bits.
        static final int LOWER_BITS_SINCE = 90;
        private static final int BRANCH = 0x947;
        /// EXIT, RET, and jumps to an address in a register.
        private static final Set<Integer> ENDS = Set.of(0x94d, 0x950, 0x949, 0x94a, 0x94c);
        /// Of a warp: HMMA, IMMA, DMMA, QMMA (E4M3). Of four warps, the first operand in shared memory or in registers:
        /// HGMMA, IGMMA, QGMMA.
        private static final Set<Integer> TENSOR =
                Set.of(0x23c, 0x237, 0x23f, 0x27a, 0x9f0, 0xdf0, 0x9f1, 0xdf1, 0x9f3, 0xdf3);

        private int opcode() {
            return (int) (low & 0xfff);
        }

        boolean isBranch() {
            return opcode() == BRANCH;
        }

        boolean isTensor() {
            return TENSOR.contains(opcode());
        }

        /// Whether the next instruction never follows.
        boolean isEnd() {
            // A branch has a second predicate and, in other forms, a register.
            boolean always = (low >> 12 & 0xf) == 7;
            return always && (ENDS.contains(opcode()) || isBranch() && (high & 0x07fc0000L) == 0x03800000L
                    && (low >> 24 & 0xff) == 0);
        }

        /// The index of the instruction to which a branch at this index goes. The distance from the next instruction is
        /// in words of four bytes: 48 bits from bit 34, and before them, if there are lower bits, eight from bit 16.
        int target(int index, boolean lowerBits) {
            long field = (low >>> 34) | (high & 0x3ffff) << 30;
            long words = field << 16 >> 16;
            return index + 1 + (int) ((lowerBits ? words << 8 | (low >> 16 & 0xff) : words) / 4);
        }
    }

    /// An object file of ptxas: ELF of 64 bits, little endian, with a section .text.KERNEL per kernel.
    static final class Cubin {
        private static final String CODE = ".text.";

        private Cubin() {}

        static Map<String, List<Instruction>> kernels(byte[] file) {
            ByteBuffer elf = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
            int sections = (int) elf.getLong(0x28);
            int sectionBytes = elf.getShort(0x3a);
            int count = elf.getShort(0x3c);
            int names = (int) elf.getLong(sections + sectionBytes * elf.getShort(0x3e) + 24);
            Map<String, List<Instruction>> kernels = new TreeMap<>();
            for (int i = 0; i < count; i++) {
                int header = sections + sectionBytes * i;
                String name = text(file, names + elf.getInt(header));
                if (name.startsWith(CODE)) {
                    int from = (int) elf.getLong(header + 24);
                    int bytes = (int) elf.getLong(header + 32);
                    List<Instruction> code = new ArrayList<>();
                    for (int at = from; at < from + bytes; at += Instruction.BYTES) {
                        code.add(new Instruction(elf.getLong(at), elf.getLong(at + 8)));
                    }
                    kernels.put(name.substring(CODE.length()), code);
                }
            }
            return kernels;
        }

        private static String text(byte[] file, int from) {
            int end = from;
            while (file[end] != 0) {
                end++;
            }
            return new String(file, from, end - from, StandardCharsets.UTF_8);
        }
    }

    /// Sizes of a loop; 0 for none.
    record Loop(int instructions, int tensorInstructions) {}

    /// The control flow of a kernel: basic blocks, their successors, and which block dominates which.
    static final class Flow {
        private final List<Instruction> code;
        private final List<Integer> starts; // first instruction of each block
        private final List<List<Integer>> successors = new ArrayList<>();
        private final List<List<Integer>> predecessors = new ArrayList<>();
        private final BitSet[] dominators;

        private Flow(List<Instruction> code, boolean lowerBits) {
            this.code = code;
            BitSet leaders = new BitSet();
            leaders.set(0);
            for (int i = 0; i < code.size(); i++) {
                if (code.get(i).isBranch()) {
                    leaders.set(code.get(i).target(i, lowerBits));
                }
                if (code.get(i).isBranch() || code.get(i).isEnd()) {
                    leaders.set(i + 1);
                }
            }
            leaders.clear(code.size(), Integer.MAX_VALUE);
            starts = leaders.stream().boxed().toList();
            Map<Integer, Integer> blockAt = new LinkedHashMap<>();
            starts.forEach(start -> blockAt.put(start, blockAt.size()));
            starts.forEach(start -> predecessors.add(new ArrayList<>()));
            for (int block = 0; block < starts.size(); block++) {
                int last = end(block) - 1;
                List<Integer> next = new ArrayList<>();
                if (code.get(last).isBranch()) {
                    next.add(blockAt.get(code.get(last).target(last, lowerBits)));
                }
                if (!code.get(last).isEnd() && block + 1 < starts.size()) {
                    next.add(block + 1);
                }
                successors.add(next);
                for (int to : next) {
                    predecessors.get(to).add(block);
                }
            }
            dominators = dominators();
        }

        static Loop mainLoop(List<Instruction> code, boolean lowerBits) {
            Flow flow = new Flow(code, lowerBits);
            Map<Integer, BitSet> loops = flow.loops();
            // A small loop inside, such as one that copies, does not hide the loop of the tensor cores.
            if (loops.values().stream().anyMatch(blocks -> flow.size(blocks).tensorInstructions() > 0)) {
                loops.values().removeIf(blocks -> flow.size(blocks).tensorInstructions() == 0);
            }
            return loops.entrySet().stream()
                    .filter(loop -> loops.keySet().stream()
                            .noneMatch(start -> start != loop.getKey().intValue() && loop.getValue().get(start)))
                    .map(loop -> flow.size(loop.getValue()))
                    .max(Comparator.comparingInt(Loop::tensorInstructions).thenComparingInt(Loop::instructions))
                    .orElse(new Loop(0, 0));
        }

        private int end(int block) {
            return block + 1 < starts.size() ? starts.get(block + 1) : code.size();
        }

        private BitSet[] dominators() {
            BitSet[] sets = new BitSet[starts.size()];
            BitSet reached = reached();
            for (int block = 0; block < sets.length; block++) {
                sets[block] = new BitSet();
                sets[block].set(0, block == 0 ? 1 : sets.length);
            }
            boolean changed = true;
            while (changed) {
                changed = false;
                for (int block = reached.nextSetBit(1); block >= 0; block = reached.nextSetBit(block + 1)) {
                    BitSet common = new BitSet();
                    common.set(0, sets.length);
                    predecessors.get(block).stream().filter(reached::get).forEach(from -> common.and(sets[from]));
                    common.set(block);
                    changed |= !common.equals(sets[block]);
                    sets[block] = common;
                }
            }
            for (int block = 0; block < sets.length; block++) {
                if (!reached.get(block)) {
                    sets[block].clear(); // padding and subroutines
                }
            }
            return sets;
        }

        private BitSet reached() {
            BitSet reached = new BitSet();
            Deque<Integer> open = new ArrayDeque<>(List.of(0));
            while (!open.isEmpty()) {
                int block = open.pop();
                if (!reached.get(block)) {
                    reached.set(block);
                    open.addAll(successors.get(block));
                }
            }
            return reached;
        }

        /// The blocks of each natural loop by its first block.
        private Map<Integer, BitSet> loops() {
            Map<Integer, BitSet> loops = new TreeMap<>();
            for (int block = 0; block < starts.size(); block++) {
                for (int start : successors.get(block)) {
                    if (dominators[block].get(start)) {
                        collect(loops.computeIfAbsent(start, first -> new BitSet()), start, block);
                    }
                }
            }
            return loops;
        }

        private void collect(BitSet body, int start, int last) {
            body.set(start);
            Deque<Integer> open = new ArrayDeque<>(List.of(last));
            while (!open.isEmpty()) {
                int block = open.pop();
                if (!body.get(block) && !dominators[block].isEmpty()) {
                    body.set(block);
                    open.addAll(predecessors.get(block));
                }
            }
        }

        private Loop size(BitSet blocks) {
            int instructions = 0;
            int tensor = 0;
            for (int block = blocks.nextSetBit(0); block >= 0; block = blocks.nextSetBit(block + 1)) {
                for (int i = starts.get(block); i < end(block); i++) {
                    instructions++;
                    tensor += code.get(i).isTensor() ? 1 : 0;
                }
            }
            return new Loop(instructions, tensor);
        }
    }
}
