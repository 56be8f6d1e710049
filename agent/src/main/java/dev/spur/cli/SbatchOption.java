package dev.spur.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An option of {@code sbatch} 22.05, and what Spur does with it. Source: {@code sbatch --help} and its manual page.
 *
 * @param name long name
 * @param letter short name; a blank for none
 * @param takes whether it has a value
 * @param effect what Spur does with it
 * @param advice what to do instead; empty if Spur honors it
 */
record SbatchOption(String name, char letter, Takes takes, Effect effect, String advice) {
    /** Value of an option. */
    enum Takes {
        NOTHING,
        VALUE,
        /** A value after {@code =}, or none. */
        OPTIONAL
    }

    /** Treatment of an option. */
    enum Effect {
        /** The job has what the option asks for. */
        HONOR,
        /** The job runs as it does without the option; a warning reports that. */
        WARN,
        /** The job would run elsewhere, at another time or not at all, so it is not submitted. */
        REFUSE
    }

    private static final int COLUMNS = 5;
    private static final String TABLE = "sbatch-options.txt";
    private static final List<SbatchOption> ALL = readTable();

    private static List<SbatchOption> readTable() {
        try (InputStream table = Objects.requireNonNull(SbatchOption.class.getResourceAsStream(TABLE))) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(row -> !row.startsWith("#"))
                    .map(SbatchOption::read)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static SbatchOption read(String row) {
        String[] cells = row.split(" ", COLUMNS);
        return new SbatchOption(
                cells[0],
                cells[1].equals(".") ? ' ' : cells[1].charAt(0),
                switch (cells[2]) {
                    case "0" -> Takes.NOTHING;
                    case "1" -> Takes.VALUE;
                    default -> Takes.OPTIONAL;
                },
                switch (cells[3]) {
                    case "H" -> Effect.HONOR;
                    case "W" -> Effect.WARN;
                    default -> Effect.REFUSE;
                },
                cells.length < COLUMNS ? "" : cells[COLUMNS - 1]);
    }

    /** Returns all options. */
    static List<SbatchOption> all() {
        return ALL;
    }

    /** Returns the option with this long name, or with the only long name that begins so. */
    static Optional<SbatchOption> byName(String name) {
        Optional<SbatchOption> exact =
                ALL.stream().filter(option -> option.name().equals(name)).findFirst();
        List<SbatchOption> longer =
                ALL.stream().filter(option -> option.name().startsWith(name)).toList();
        return exact.isPresent() || longer.size() != 1 ? exact : Optional.of(longer.get(0));
    }

    /** Returns the option with this short name. */
    static Optional<SbatchOption> byLetter(char letter) {
        return ALL.stream().filter(option -> option.letter() == letter).findFirst();
    }
}
