package dev.spur.cli;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.IStyle;
import picocli.CommandLine.Help.Ansi.Style;

/**
 * Properties of the standard output.
 *
 * @param ansi whether colors are used; picocli's {@code AUTO} follows {@code NO_COLOR} and {@code CLICOLOR_FORCE}
 * @param width number of columns; {@link #UNLIMITED} for a file, a pipe or an unknown terminal
 * @param now time of the output, to which times in tables are relative
 */
record Terminal(Ansi ansi, int width, Instant now) {
    static final int UNLIMITED = Integer.MAX_VALUE;
    /** Set by {@code ./spur} if the standard output is a terminal. */
    private static final String WIDTH = "SPUR_TERMINAL_WIDTH";

    private static final Set<String> GOOD = Set.of("RUNNING", "ACTIVE", "DONE", "created");
    private static final Set<String> PENDING =
            Set.of("SUBMITTED", "WAITING", "COMPLETING", "DRAINING", "CORDONED", "updated");
    private static final Set<String> BAD = Set.of("FAILED", "LOST");

    /** Returns whether the standard output is a terminal of known width. */
    static boolean isKnown() {
        return environmentWidth() != UNLIMITED;
    }

    static Terminal current(Ansi ansi) {
        return new Terminal(ansi, environmentWidth(), Instant.now());
    }

    private static int environmentWidth() {
        return Optional.ofNullable(System.getenv(WIDTH))
                .filter(value -> value.matches("[1-9][0-9]{0,4}"))
                .map(Integer::valueOf)
                .orElse(UNLIMITED);
    }

    String heading(String text) {
        return style(text, Style.bold);
    }

    /** Returns a state in the color of its first word: green, yellow or red. */
    String state(String text) {
        String state = text.strip().split(" ", 2)[0];
        if (GOOD.contains(state)) {
            return style(text, Style.fg_green);
        }
        if (PENDING.contains(state)) {
            return style(text, Style.fg_yellow);
        }
        return BAD.contains(state) ? style(text, Style.fg_red) : text;
    }

    private String style(String text, IStyle style) {
        return ansi.enabled() ? style.on() + text + style.off() : text;
    }
}
