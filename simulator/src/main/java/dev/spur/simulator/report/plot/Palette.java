package dev.spur.simulator.report.plot;

import java.util.List;

/** Colors that are distinguishable on light and dark backgrounds. */
public final class Palette {
    private static final List<String> COLORS = List.of(
            "#3b82c4", "#e08214", "#2ca05a", "#c94c4c", "#8a6fc9", "#8c6d4f", "#d16ba5", "#7f7f7f", "#a8a032",
            "#3fb0b8");

    private Palette() {}

    /** Returns the color of the line {@code index}; the colors repeat after the last. */
    public static String color(int index) {
        return COLORS.get(index % COLORS.size());
    }
}
