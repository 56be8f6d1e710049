package dev.spur.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Names that a user may mean by an unknown one. */
public final class SimilarNames {
    private SimilarNames() {}

    /** Returns the names that differ in a third of the characters or less, the most similar first. */
    public static List<String> of(String unknown, Collection<String> names) {
        return names.stream()
                .filter(name -> distance(unknown, name) <= Math.max(1, unknown.length() / 3))
                .sorted(Comparator.comparingInt(name -> distance(unknown, name)))
                .toList();
    }

    /** Levenshtein distance. */
    private static int distance(String one, String other) {
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
