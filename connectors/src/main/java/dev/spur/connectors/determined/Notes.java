package dev.spur.connectors.determined;

import dev.spur.connectors.LastAppliedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Notes of an experiment: the owner's text, followed by a line with the last-applied state. Notes survive cancellation
 * and continuation. Unlike labels, they are not overwritten when the master saves a configuration from its memory.
 *
 * @param owners text of the owner
 * @param mark state that Spur last applied; empty if Spur applied none
 * @param continuation number of the pending continuation, from 1; a canceled experiment with fewer continuations was
 *     canceled by Spur in order to continue it
 */
record Notes(String owners, Optional<LastAppliedState> mark, OptionalInt continuation) {
    /** Empty notes. */
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

    /** Returns a copy with another last-applied state. */
    Notes withLastApplied(LastAppliedState now, OptionalInt next) {
        return new Notes(owners, Optional.of(now), next);
    }

    /** Returns true if both have the same state and continuation, regardless of the time of writing. */
    boolean hasSameState(Notes other) {
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
