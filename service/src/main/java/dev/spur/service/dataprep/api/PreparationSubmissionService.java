package dev.spur.service.dataprep.api;

import dev.spur.model.cluster.Node;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.cluster.TenantStore;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.dataprep.PreparationHistory;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.PreparationStore.NewPreparation;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.job.JobStore;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Sha256;
import dev.spur.service.trigger.RoundTrigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Accepts preparation submissions. Each is stored once, and a preparation that no node can ever hold is rejected. */
@Component
class PreparationSubmissionService {
    private final PreparationStore preparations;
    private final PreparationHistory history;
    private final JobStore jobs;
    private final TenantStore tenants;
    private final NodeStore nodes;
    /** Transaction of the insertion, which is rolled back when the key or the external id is in use. */
    private final TransactionTemplate transaction;

    private final RoundTrigger trigger;
    private final AuditTrail trail;

    PreparationSubmissionService(
            PreparationStore preparations,
            PreparationHistory history,
            JobStore jobs,
            TenantStore tenants,
            NodeStore nodes,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.preparations = preparations;
        this.history = history;
        this.jobs = jobs;
        this.tenants = tenants;
        this.nodes = nodes;
        this.transaction = transaction;
        this.trigger = trigger;
        this.trail = trail;
    }

    /**
     * Outcome of a submission.
     *
     * @param preparation the preparation
     * @param replayed true if an earlier submission with the same key created it
     */
    record Outcome(StoredPreparation preparation, boolean replayed) {}

    /**
     * Stores a preparation durably.
     *
     * @param key makes the submission idempotent for this caller; null if it need not be
     * @throws ProblemException if it is rejected
     */
    Outcome submit(Principal caller, @Nullable String key, PreparationSubmission submission) {
        JobStore.Claim claim = key == null ? null : new JobStore.Claim(caller.name(), key, fingerprint(submission));
        Optional<Outcome> earlier = replay(claim);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        requireFeasible(caller, submission);
        String id = UUID.randomUUID().toString();
        boolean added = Objects.requireNonNull(transaction.execute(status -> {
            if (!tenants.keep(submission.tenant())) {
                throw noTenant(submission);
            }
            boolean isNew =
                    (claim == null || preparations.claim(claim, id)) && preparations.insert(row(id, submission));
            if (isNew) {
                history.tell(id, "SUBMITTED", Map.of("by", caller.name()));
                trail.changed("preparation", id, null, submission);
                trigger.changed("preparation submitted");
            } else {
                status.setRollbackOnly();
            }
            return isNew;
        }));
        return added
                ? new Outcome(preparations.find(id).orElseThrow(), false)
                : replay(claim).orElseThrow(() -> taken(submission));
    }

    private void requireFeasible(Principal caller, PreparationSubmission submission) {
        if (!caller.reach().covers(submission.tenant())
                || tenants.find(submission.tenant()).isEmpty()) {
            throw noTenant(submission);
        }
        if (!submission.waitForHardware()) {
            requireFeasible(submission.spec());
        }
    }

    private static ProblemException noTenant(PreparationSubmission submission) {
        return ProblemException.of(
                ProblemType.UNPROCESSABLE, FieldError.at("/tenant", "there is no tenant " + submission.tenant()));
    }

    /**
     * Requires that a node could hold it if idle.
     *
     * @throws ProblemException 422 if none could
     */
    void requireFeasible(PreparationSpec spec) {
        List<String> reasons = reasonsAgainst(spec);
        if (!reasons.isEmpty()) {
            throw ProblemException.of(
                            ProblemType.UNSATISFIABLE,
                            "No registered node can ever hold it. Set waitForHardware to let it wait for one that can.")
                    .withReasons(reasons);
        }
    }

    /** Reasons why no idle node could hold it; empty if one could. */
    private List<String> reasonsAgainst(PreparationSpec spec) {
        List<Node> allowed =
                nodes.all().stream().filter(node -> spec.mayUse(node.pool())).toList();
        List<String> reasons = new ArrayList<>();
        if (allowed.isEmpty()) {
            reasons.add(spec.pools().isEmpty() ? "There are no nodes." : "There is no node in " + spec.pools() + ".");
        } else if (allowed.stream()
                .noneMatch(node -> node.cpus() >= spec.cpus() && node.memoryGiB() >= spec.minLocalGiB())) {
            reasons.add("It requires a node with at least %s host CPUs and %d GiB; there is none."
                    .formatted(spec.cpus(), spec.minLocalGiB()));
        }
        return reasons;
    }

    private Optional<Outcome> replay(JobStore.@Nullable Claim claim) {
        if (claim == null) {
            return Optional.empty();
        }
        return jobs.claimed(claim.caller(), claim.key()).map(earlier -> {
            if (!earlier.fingerprint().equals(claim.fingerprint())) {
                throw ProblemException.of(
                        ProblemType.IDEMPOTENCY_KEY_REUSED,
                        FieldError.inHeader("Idempotency-Key", "was already used for another submission"));
            }
            return new Outcome(preparations.find(earlier.jobId()).orElseThrow(), true);
        });
    }

    private static ProblemException taken(PreparationSubmission submission) {
        return ProblemException.of(
                ProblemType.ALREADY_EXISTS,
                FieldError.at(
                        "/externalId",
                        "is already used by another preparation of tenant %s".formatted(submission.tenant())));
    }

    private static NewPreparation row(String id, PreparationSubmission submission) {
        return new NewPreparation(
                id,
                submission.tenant(),
                submission.owner(),
                submission.name(),
                submission.externalId(),
                submission.labels(),
                submission.spec(),
                submission.command() == null ? null : RoundJson.mapper().writeValueAsString(submission.command()));
    }

    /** Fingerprint of a submission, which differs from that of every other submission and of jobs. */
    private static String fingerprint(PreparationSubmission submission) {
        return Sha256.hex("preparation " + RoundJson.mapper().writeValueAsString(submission));
    }
}
