package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * State of a platform as observed in one sync.
 *
 * @param nodes nodes
 * @param jobs jobs by id
 */
public record PlatformObservation(List<PlatformNode> nodes, Map<String, PlatformJob> jobs) {
    public PlatformObservation {
        nodes = List.copyOf(nodes);
        jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
    }

    /** Creates an observation. */
    public static PlatformObservation of(List<PlatformNode> nodes, List<PlatformJob> jobs) {
        Map<String, PlatformJob> byId = new LinkedHashMap<>();
        jobs.forEach(job -> byId.put(job.id(), job));
        return new PlatformObservation(nodes, byId);
    }

    /** Returns an observed job. */
    public Optional<PlatformJob> job(String id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /** Returns the job of an action that was derived from this observation. */
    PlatformJob of(JobAction action) {
        return Objects.requireNonNull(jobs.get(action.job()), () -> "job %s was not observed".formatted(action.job()));
    }
}
