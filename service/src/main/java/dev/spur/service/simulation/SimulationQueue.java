package dev.spur.service.simulation;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.simulation.SimulationStore.KeyUse;
import dev.spur.service.simulation.SimulationStore.NewSimulation;
import dev.spur.service.simulation.SimulationStore.Row;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Simulations and self-audits of callers, from the request to the cancellation. */
@Component
class SimulationQueue {
    private final SimulationStore store;
    private final SimulationProperties properties;
    private final AuditTrail trail;

    SimulationQueue(SimulationStore store, SimulationProperties properties, AuditTrail trail) {
        this.store = store;
        this.properties = properties;
        this.trail = trail;
    }

    /**
     * Result of a submission.
     *
     * @param replayed true if the idempotency key created it earlier
     */
    record Submission(Row row, boolean replayed) {}

    /**
     * Returns the earlier submission with an idempotency key of the owner; empty if the key is unused or null.
     *
     * @throws ProblemException 422 if the key was used with another request
     */
    Optional<Submission> earlier(SimulationKind kind, String owner, @Nullable String key, String fingerprint) {
        Optional<KeyUse> claimed = key == null ? Optional.empty() : store.findClaim(owner, key);
        if (claimed.isPresent() && !claimed.get().fingerprint().equals(fingerprint)) {
            throw ProblemException.of(
                            ProblemType.IDEMPOTENCY_KEY_REUSED,
                            FieldError.inHeader("Idempotency-Key", "was used for a different request"))
                    .withLocation(kind.path(claimed.get().id()));
        }
        return claimed.flatMap(found -> store.find(kind, found.id())).map(row -> new Submission(row, true));
    }

    /**
     * Queues a request, or returns the submission that its key created at the same time.
     *
     * @throws ProblemException 429 if too many requests wait
     */
    @Transactional
    public Submission submit(NewSimulation simulation) {
        if (store.add(simulation, properties.queue())) {
            trail.recordChange(
                    simulation.kind().noun(),
                    simulation.id(),
                    null,
                    Map.of("owner", simulation.owner(), "request", simulation.request()));
            return new Submission(find(simulation.kind(), simulation.id()), false);
        }
        return earlier(simulation.kind(), simulation.owner(), simulation.key(), simulation.fingerprint())
                .orElseThrow(() -> ProblemException.of(
                                ProblemType.TOO_MANY_REQUESTS,
                                "%d simulations wait already.".formatted(properties.queue()))
                        .withHeader("Retry-After", "30"));
    }

    /**
     * Cancels a simulation, unless it is canceled already.
     *
     * @throws ProblemException 404 if it does not exist; 409 if it has ended otherwise
     */
    @Transactional
    public Row cancel(SimulationKind kind, String id) {
        Row before = find(kind, id);
        if (store.cancel(id)) {
            trail.recordChange(kind.noun(), id, Map.of("state", before.state()), Map.of("state", "CANCELLED"));
        }
        Row after = find(kind, id);
        if (!after.state().equals("CANCELLED")) {
            throw ProblemException.of(ProblemType.CONFLICT, "The %s has already ended.".formatted(kind.noun()));
        }
        return after;
    }

    Row find(SimulationKind kind, String id) {
        return store.find(kind, id).orElseThrow(() -> ProblemException.notFound(kind.noun(), id));
    }
}
