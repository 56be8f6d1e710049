package dev.spur.connectors.engine;

import dev.spur.connectors.Action;
import java.util.List;
import java.util.Map;

/**
 * What a look at the platform came to.
 *
 * @param wanted what the plan asks for and the platform does not show
 * @param begun those of it that were begun
 * @param blocked those of it that are not being done: there is no room yet, or the mode, the limits or the platform do not let them begin
 * @param released jobs that a person has taken over, by id, and what was seen
 * @param failures verifications that failed, one sentence each
 */
public record Report(
        List<Action> wanted,
        List<Action> begun,
        List<Action> blocked,
        Map<String, String> released,
        List<String> failures) {
    public Report {
        wanted = List.copyOf(wanted);
        begun = List.copyOf(begun);
        blocked = List.copyOf(blocked);
        released = Map.copyOf(released);
        failures = List.copyOf(failures);
    }

    /** True if the platform shows all that the plan asks for. */
    public boolean agrees() {
        return wanted.isEmpty();
    }
}
