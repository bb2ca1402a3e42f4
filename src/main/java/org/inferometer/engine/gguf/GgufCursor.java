package org.inferometer.engine.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.LittleEndian;

/// Reads the parts of a header in order, never beyond the file.
final class GgufCursor {
    private static final int LONGEST_TEXT = 16 << 20;

    private final Path file;
    private final MemorySegment bytes;
    private long position;

    GgufCursor(Path file, MemorySegment bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    long position() {
        return position;
    }

    long remaining() {
        return bytes.byteSize() - position;
    }

    EngineFormatException damaged(String what) {
        return new EngineFormatException(file, "It is no whole GGUF file: " + what + ".", "Copy the file again.");
    }

    EngineFormatException refused(String sentence) {
        return new EngineFormatException(file, sentence, "Give another model.");
    }

    private long take(long count) throws EngineFormatException {
        if (count < 0 || count > remaining()) {
            throw damaged("its header ends at byte " + bytes.byteSize() + ", where more is due");
        }
        long at = position;
        position += count;
        return at;
    }

    byte int8() throws EngineFormatException {
        return bytes.get(ValueLayout.JAVA_BYTE, take(1));
    }

    short int16() throws EngineFormatException {
        return bytes.get(LittleEndian.SHORT, take(Short.BYTES));
    }

    int int32() throws EngineFormatException {
        return bytes.get(LittleEndian.INT, take(Integer.BYTES));
    }

    long int64() throws EngineFormatException {
        return bytes.get(LittleEndian.LONG, take(Long.BYTES));
    }

    /// A count that the rest of the file can hold.
    ///
    /// @param leastBytes of each counted part
    int count(String what, long most, int leastBytes) throws EngineFormatException {
        long count = int64();
        if (count < 0 || count > most || count > remaining() / leastBytes) {
            throw damaged("it claims " + Long.toUnsignedString(count) + " " + what);
        }
        return (int) count;
    }

    String text() throws EngineFormatException {
        int length = count("bytes of a text", LONGEST_TEXT, 1);
        byte[] text = bytes.asSlice(take(length), length).toArray(ValueLayout.JAVA_BYTE);
        return new String(text, StandardCharsets.UTF_8);
    }
}
