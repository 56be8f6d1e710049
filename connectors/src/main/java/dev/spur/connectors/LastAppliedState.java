package dev.spur.connectors;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What Spur last wrote on a job, in a place of the platform that the job's owner cannot write to. It tells a connector
 * that has forgotten everything which jobs are Spur's, and it tells what a person changed afterwards.
 *
 * @param revision revision of the plan for which it was written
 * @param placement where the job is to run; nowhere if it is to be held
 * @param since when it was written, to the second
 */
public record LastAppliedState(long revision, JobPlacement placement, Instant since) {
    private static final Pattern FORM = Pattern.compile("spur rev=(\\d{1,18}) since=(\\d{1,11}) (?:hold|run=([^ ]+))");

    public LastAppliedState {
        since = Instant.ofEpochSecond(since.getEpochSecond());
    }

    /** True if the job is to run. */
    public boolean runs() {
        return !placement.isNowhere();
    }

    /** The mark as it stands on the job, for example {@code spur rev=17 since=1767225600 run=gpu1:4,gpu2:4}. */
    public String text() {
        String what = placement.slots().entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(","));
        return "spur rev=%d since=%d %s".formatted(revision, since.getEpochSecond(), runs() ? "run=" + what : "hold");
    }

    /** The mark in a text; empty if the text is none of Spur's. */
    public static Optional<LastAppliedState> read(String text) {
        Matcher found = FORM.matcher(text.strip());
        if (!found.matches()) {
            return Optional.empty();
        }
        try {
            Instant since = Instant.ofEpochSecond(Long.parseLong(found.group(2)));
            return Optional.of(new LastAppliedState(Long.parseLong(found.group(1)), placement(found.group(3)), since));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    private static JobPlacement placement(@Nullable String text) {
        if (text == null) {
            return JobPlacement.NONE;
        }
        Map<String, Integer> slots = new TreeMap<>();
        for (String piece : text.split(",", -1)) {
            int colon = piece.lastIndexOf(':');
            ArgumentChecks.require(colon > 0, "no piece of a placement: " + piece);
            slots.put(piece.substring(0, colon), Integer.parseInt(piece.substring(colon + 1)));
        }
        return JobPlacement.of(slots);
    }
}
