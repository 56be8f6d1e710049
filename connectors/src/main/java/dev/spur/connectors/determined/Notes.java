package dev.spur.connectors.determined;

import dev.spur.connectors.LastAppliedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The notes of an experiment: what its owner wrote, and below it the line with Spur's mark. Notes outlive a
 * cancellation and a continuation, and unlike labels they are not overwritten when the master saves a configuration
 * that it holds in memory.
 *
 * @param owners what the owner wrote
 * @param mark what Spur last wrote; empty if it never did
 * @param continuation the continuation that is on its way, counted from 1: once the experiment is cancelled and was not
 *     continued so often, Spur cancelled it to continue it
 */
record Notes(String owners, Optional<LastAppliedState> mark, OptionalInt continuation) {
    /** The notes of nobody. */
    static final Notes NONE = new Notes("", Optional.empty(), OptionalInt.empty());

    private static final Pattern LINE = Pattern.compile("(spur rev=.*?)(?: continue=(\\d{1,6}))?");

    static Notes read(String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        for (int at = lines.size() - 1; at >= 0; at--) {
            Matcher line = LINE.matcher(lines.get(at).strip());
            Optional<LastAppliedState> mark = line.matches() ? LastAppliedState.read(line.group(1)) : Optional.empty();
            if (mark.isPresent()) {
                lines.remove(at);
                String count = line.group(2);
                return new Notes(
                        String.join("\n", lines).stripTrailing(),
                        mark,
                        count == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(count)));
            }
        }
        return new Notes(text, Optional.empty(), OptionalInt.empty());
    }

    /** The same notes with another mark. */
    Notes marked(LastAppliedState now, OptionalInt next) {
        return new Notes(owners, Optional.of(now), next);
    }

    /** True if both say the same, at whatever time they were written. */
    boolean saysWhat(Notes other) {
        return continuation.equals(other.continuation)
                && mark.map(LastAppliedState::revision).equals(other.mark.map(LastAppliedState::revision))
                && mark.map(LastAppliedState::placement).equals(other.mark.map(LastAppliedState::placement));
    }

    String text() {
        String line = mark.map(LastAppliedState::text).orElse("")
                + (continuation.isPresent() ? " continue=" + continuation.getAsInt() : "");
        return owners.isBlank() || line.isBlank() ? owners + line : owners + "\n\n" + line;
    }
}
