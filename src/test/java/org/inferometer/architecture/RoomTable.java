package org.inferometer.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The table of rooms in docs/architecture.md: who may import whom.
///
/// The last column is a list of rooms and sub-rooms. "As" a room adds what that one may import.
record RoomTable(List<Row> rows) {
    /// Rooms whose sub-rooms only those see that name them.
    private static final Set<String> BACK_ROOMS = Set.of("execution", "target");

    private record Row(String room, List<String> imports) {}

    /// @throws IllegalArgumentException if the page has no such table
    static RoomTable of(Path page) {
        List<String> lines;
        try {
            lines = Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int header = lines.indexOf("| room | question it answers | pure | may import |");
        if (header < 0) {
            throw new IllegalArgumentException(page + " has no table of rooms.");
        }
        return new RoomTable(
                lines.stream().skip(header + 2).takeWhile(line -> line.startsWith("|")).map(RoomTable::row).toList());
    }

    private static Row row(String line) {
        String[] cells = line.replace("`", "").split("\\|", -1);
        return new Row(cells[1].strip(),
                Arrays.stream(cells[4].split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList());
    }

    List<String> rooms() {
        return rows.stream().map(Row::room).toList();
    }

    /// The packages that a room may see, as patterns below the base package; its own are among them.
    Stream<String> accepted(String room) {
        List<String> imports = imports(room).toList();
        if (imports.equals(List.of("everything"))) {
            return Stream.of("*..");
        }
        Stream<String> everywhere =
                imports.equals(List.of("nothing")) ? Stream.of() : Stream.of("units..", "options..");
        return Stream.of(Stream.of(room + ".."), everywhere, imports.stream().map(this::pattern))
                .flatMap(names -> names);
    }

    private Stream<String> imports(String room) {
        List<String> own = rows.stream().filter(row -> row.room().equals(room)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The table has no row " + room + ".")).imports();
        return own.stream()
                .flatMap(name -> name.startsWith("as ") ? imports(name.substring("as ".length())) : Stream.of(name));
    }

    private String pattern(String name) {
        String room = name.split("\\.")[0];
        if (!name.equals("nothing") && !rooms().contains(room)) {
            throw new IllegalArgumentException("The table names " + name + ", which has no row.");
        }
        return BACK_ROOMS.contains(name) || name.endsWith("..") ? name : name + "..";
    }
}
