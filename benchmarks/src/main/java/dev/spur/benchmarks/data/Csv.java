package dev.spur.benchmarks.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Plain comma-separated files with a header; the files read here quote nothing. */
final class Csv {
    /** A line by column name. */
    record Row(Map<String, String> cells) {
        /** @throws IllegalArgumentException if the line has no such cell */
        String text(String column) {
            String cell = cells.get(column);
            if (cell == null) {
                throw new IllegalArgumentException("column %s is missing in %s".formatted(column, cells));
            }
            return cell;
        }

        double number(String column) {
            return Double.parseDouble(text(column));
        }

        /** The whole number in {@code column}, which may be written with a point. */
        int count(String column) {
            return (int) number(column);
        }
    }

    private Csv() {}

    static List<Row> rows(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        String[] header = lines.get(0).split(",", -1);
        return lines.stream()
                .skip(1)
                .filter(line -> !line.isBlank())
                .map(line -> row(header, line.split(",", -1)))
                .toList();
    }

    private static Row row(String[] header, String[] cells) {
        Map<String, String> row = new HashMap<>();
        IntStream.range(0, Math.min(header.length, cells.length))
                .forEach(i -> row.put(header[i].strip(), cells[i].strip()));
        return new Row(row);
    }
}
