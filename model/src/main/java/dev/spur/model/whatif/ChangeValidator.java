package dev.spur.model.whatif;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Validates a change against the problem to which it is applied. It collects the violations with their JSON pointers
 * into the change.
 */
final class ChangeValidator {
    static final String RULE = "change";

    private final RoundProblem problem;
    private final WithheldJobs withheldJobs;
    private final List<Violation> violations = new ArrayList<>();

    ChangeValidator(RoundProblem problem, WithheldJobs withheldJobs) {
        this.problem = problem;
        this.withheldJobs = withheldJobs;
    }

    /** Requires that the member {@code job} names a job of the problem. */
    ChangeValidator job(String id) {
        return exists(id, jobs(problem.jobs()), jobs(withheldJobs.jobs()));
    }

    /** Requires that the member {@code job} names a job or a preparation of the problem. */
    ChangeValidator jobOrPreparation(String id) {
        return exists(
                id,
                Stream.concat(jobs(problem.jobs()), preparations(problem.preparations())),
                Stream.concat(jobs(withheldJobs.jobs()), preparations(withheldJobs.preparations())));
    }

    private ChangeValidator exists(String id, Stream<String> active, Stream<String> withheld) {
        if (active.anyMatch(id::equals)) {
            return this;
        }
        boolean isHeld = withheld.anyMatch(id::equals);
        return require(
                false,
                "/job",
                isHeld ? "job %s is withheld from scheduling; release it first" : "job %s does not exist or has ended",
                id);
    }

    /**
     * Requires that the id in the member {@code kind} is not in use by a job or a preparation, including withheld ones.
     */
    ChangeValidator isNew(String kind, String id) {
        boolean isJob =
                Stream.concat(jobs(problem.jobs()), jobs(withheldJobs.jobs())).anyMatch(id::equals);
        boolean isPreparation = Stream.concat(
                        preparations(problem.preparations()), preparations(withheldJobs.preparations()))
                .anyMatch(id::equals);
        return require(!isJob, "/" + kind, "job %s already exists", id)
                .require(!isPreparation, "/" + kind, "preparation %s already exists", id);
    }

    /** Requires that the member {@code tenant} names a tenant. */
    ChangeValidator tenant(String name) {
        return require(
                problem.tenants().stream().anyMatch(other -> other.name().equals(name)),
                "/tenant",
                "tenant %s does not exist",
                name);
    }

    /** Requires that a job of {@code tenant} names no group, or a group of that tenant or of one of its ancestors. */
    ChangeValidator group(@Nullable String name, String tenant) {
        TenantTree tree = new TenantTree(problem.tenants());
        return require(
                name == null
                        || problem.groups().stream()
                                .anyMatch(group -> group.name().equals(name) && tree.isWithin(tenant, group.tenant())),
                "/spec/group",
                "there is no group %s for tenant %s",
                name,
                tenant);
    }

    /** Requires that a member names an accelerator type or is null. */
    ChangeValidator type(String pointer, @Nullable String name) {
        return require(
                name == null || NamedLists.has(problem.acceleratorTypes(), AcceleratorType::name, name),
                pointer,
                "accelerator type %s does not exist",
                name);
    }

    /** Requires that a member names a pool or is null. */
    ChangeValidator pool(String pointer, @Nullable String name) {
        return require(
                name == null || NamedLists.has(problem.pools(), Pool::name, name),
                pointer,
                "pool %s does not exist",
                name);
    }

    /** Requires that the member {@code node} names a node. */
    ChangeValidator node(String id) {
        return nodeAt("/node", id, nodes());
    }

    /** Requires that the member {@code nodes} names nodes. */
    ChangeValidator nodes(List<String> ids) {
        Set<String> known = nodes();
        for (int i = 0; i < ids.size(); i++) {
            nodeAt("/nodes/" + i, ids.get(i), known);
        }
        return this;
    }

    private ChangeValidator nodeAt(String pointer, String id, Set<String> known) {
        return require(known.contains(id), pointer, "node %s does not exist", id);
    }

    private Set<String> nodes() {
        return problem.nodes().stream().map(Node::id).collect(Collectors.toSet());
    }

    /** Adds a violation with {@code message} unless {@code holds}. */
    @SuppressWarnings("AnnotateFormatMethod") // as in Checks: not worth a dependency
    ChangeValidator require(boolean holds, String pointer, String message, @Nullable Object... values) {
        if (!holds) {
            violations.add(new Violation(RULE, pointer, message.formatted(values)));
        }
        return this;
    }

    /**
     * Ends the validation.
     *
     * @throws InvalidChangeException if there is any violation
     */
    void throwIfInvalid() {
        if (!violations.isEmpty()) {
            throw new InvalidChangeException(violations);
        }
    }

    /** Returns the job with an id, also if it is withheld; empty if there is none. */
    Optional<Job> find(String id) {
        return Stream.concat(problem.jobs().stream(), withheldJobs.jobs().stream())
                .filter(job -> job.id().equals(id))
                .findFirst();
    }

    private static Stream<String> jobs(List<Job> jobs) {
        return jobs.stream().map(Job::id);
    }

    private static Stream<String> preparations(List<Preparation> preparations) {
        return preparations.stream().map(Preparation::id);
    }
}
