package dev.spur.service.simulation;

import dev.spur.model.json.RoundJson;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.security.Sha256;
import dev.spur.service.simulation.SimulationStore.NewSimulation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Self-audits that wait for the simulation worker: those of callers, and one of each day by a schedule. */
@Component
class SelfAuditQueue {
    private static final Logger LOG = LoggerFactory.getLogger(SelfAuditQueue.class);
    private static final Duration LONGEST = Duration.ofDays(31);
    /** Owner of the self-audits by schedule. */
    private static final String SCHEDULE = "spur";

    private final SimulationQueue queue;
    private final SimulationStore store;
    private final SimulationProperties properties;

    SelfAuditQueue(SimulationQueue queue, SimulationStore store, SimulationProperties properties) {
        this.queue = queue;
        this.store = store;
        this.properties = properties;
    }

    /** Request for a self-audit. Members as in the contract. */
    record SelfAuditRequest(
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable Double roundSeconds) {}

    /**
     * Submits a self-audit. The range is yesterday by default, in UTC.
     *
     * @param key idempotency key of the owner; null for none
     * @throws ProblemException 422 if the range is empty, too long or not over, or if the key was used with another
     *     request; 429 if too many simulations wait
     */
    SimulationQueue.Submission submit(String owner, @Nullable String key, SelfAuditRequest request) {
        String fingerprint = Sha256.hex(RoundJson.mapper().writeValueAsString(request));
        Optional<SimulationQueue.Submission> earlier =
                queue.earlier(SimulationKind.SELF_AUDIT, owner, key, fingerprint);
        return earlier.orElseGet(() -> queue.submit(
                audit(owner, key, fingerprint, RoundJson.mapper().writeValueAsString(withRange(request)))));
    }

    private static SelfAuditRequest withRange(SelfAuditRequest request) {
        Instant now = Clock.systemUTC().instant();
        Instant today = now.truncatedTo(ChronoUnit.DAYS);
        Instant until = request.until() == null ? today : request.until();
        Instant since = request.since() == null ? until.minus(Duration.ofDays(1)) : request.since();
        List<FieldError> errors = new ArrayList<>();
        if (until.isAfter(now)) {
            errors.add(FieldError.at("/until", "must not be in the future; now is %s".formatted(now)));
        }
        if (!since.isBefore(until)) {
            errors.add(FieldError.at("/since", "must be before until, which is %s".formatted(until)));
        } else if (Duration.between(since, until).compareTo(LONGEST) > 0) {
            errors.add(FieldError.at("/since", "must be at most %d days before until".formatted(LONGEST.toDays())));
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        return new SelfAuditRequest(since, until, request.roundSeconds());
    }

    /** Queues the self-audit of yesterday. All replicas do so at the same time; one succeeds. */
    @Scheduled(cron = "${spur.self-audits.schedule:-}", zone = "UTC")
    void queueYesterday() {
        Instant today = Clock.systemUTC().instant().truncatedTo(ChronoUnit.DAYS);
        SelfAuditRequest request = new SelfAuditRequest(today.minus(Duration.ofDays(1)), today, null);
        String body = RoundJson.mapper().writeValueAsString(request);
        try {
            store.add(audit(SCHEDULE, "self-audit until " + today, Sha256.hex(body), body), properties.queue());
        } catch (DataAccessException failure) {
            LOG.warn("cannot queue the self-audit of yesterday: {}", failure.getMessage());
        }
    }

    private static NewSimulation audit(String owner, @Nullable String key, String fingerprint, String request) {
        return new NewSimulation(
                UUID.randomUUID().toString(), SimulationKind.SELF_AUDIT, owner, key, fingerprint, request, null, null);
    }
}
