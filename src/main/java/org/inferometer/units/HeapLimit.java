package org.inferometer.units;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Bounds what is read from a file by the heap of this process.
///
/// A reader catches [OutOfMemoryError] where its partial result is out of scope, and throws [#exceeded] instead.
public final class HeapLimit {
    /// Of the heap: what is read becomes objects, which take several times the bytes of the file.
    private static final int SHARE_OF_WHOLE_FILE = 4;
    private static final int SHARE_OF_ROW = 64;
    private static final int FULL_PERCENT = 85;
    private static final long LEAST_ROW_BYTES = 1 << 20;
    private static final int MOST_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    private HeapLimit() {}

    /// The longest row that is held in memory, at least 1 MiB.
    public static int rowBytes() {
        return (int) Math.clamp(Runtime.getRuntime().maxMemory() / SHARE_OF_ROW, LEAST_ROW_BYTES, MOST_ARRAY_BYTES);
    }

    /// The most bytes of a file that is held in memory as a whole.
    public static int wholeFileBytes() {
        return (int) Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_WHOLE_FILE, MOST_ARRAY_BYTES);
    }

    /// The bytes of a file that must be held in memory as a whole.
    ///
    /// @throws FileTooLargeException before memory is taken, if the file is larger than a quarter of the heap
    public static byte[] read(Path file) throws IOException {
        long size = Files.size(file);
        if (size > wholeFileBytes()) {
            throw exceeded(file);
        }
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes((int) size);
        } catch (OutOfMemoryError e) {
            throw exceeded(file);
        }
    }

    /// Call regularly while reading. The collector would run ever more often before it gives up.
    ///
    /// @throws FileTooLargeException if objects in use fill 85 % of the heap
    public static void requireRoom(Path file) throws FileTooLargeException {
        Runtime runtime = Runtime.getRuntime();
        if (isFull(runtime.totalMemory() - runtime.freeMemory()) && isFull(usedAfterCollection())) {
            // The last collection may have been before other files were dropped.
            System.gc();
            if (isFull(usedAfterCollection())) {
                throw exceeded(file);
            }
        }
    }

    private static boolean isFull(long usedBytes) {
        return usedBytes > Runtime.getRuntime().maxMemory() / 100 * FULL_PERCENT;
    }

    private static long usedAfterCollection() {
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage).filter(Objects::nonNull).mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    /// A file whose content does not fit.
    public static FileTooLargeException exceeded(Path file) {
        return new FileTooLargeException(file.toString(), "the file " + sizeOf(file) + "does not fit into the heap of "
                + heap() + ". Raise it, for example with INFEROMETER_JAVA_OPTIONS=-Xmx8g.");
    }

    /// A row longer than [#rowBytes].
    ///
    /// @param line counted from 1
    public static FileTooLargeException rowExceeded(Path file, long line) {
        return new FileTooLargeException(file + ":" + line,
                "the row is longer than " + QuantityText.bytes(rowBytes()) + ", the limit with a heap of " + heap()
                        + ". Check the file " + sizeOf(file)
                        + "or raise the heap, for example with INFEROMETER_JAVA_OPTIONS=-Xmx8g.");
    }

    private static String heap() {
        return QuantityText.bytes(Runtime.getRuntime().maxMemory());
    }

    private static String sizeOf(Path file) {
        try {
            return "(" + QuantityText.bytes(Files.size(file)) + ") ";
        } catch (IOException e) {
            return "";
        }
    }
}
