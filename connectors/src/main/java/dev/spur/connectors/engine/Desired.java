package dev.spur.connectors.engine;

import dev.spur.connectors.Placement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a plan wants of a platform. Jobs that are not named are nobody's business here.
 *
 * @param revision revision of the plan
 * @param wants by id of the job on the platform, in the order of the plan: who is to run, then who is next
 */
public record Desired(long revision, Map<String, Want> wants) {
    public Desired {
        wants = Collections.unmodifiableMap(new LinkedHashMap<>(wants));
    }

    /** What is wanted of a job. */
    public sealed interface Want {
        /** It is to run, there. */
        record Run(Placement placement) implements Want {}

        /** It is to wait. */
        record Wait() implements Want {}

        /** It is to end: somebody called it off. */
        record End() implements Want {}
    }
}
