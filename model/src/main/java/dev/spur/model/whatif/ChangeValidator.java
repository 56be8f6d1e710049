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
 * Holds a change against the problem that it is made to. What does not fit is collected, with its place in the change.
 */
final class ChangeValidator {
    static final String RULE = "change";

    private final RoundProblem problem;
    private final WithheldJobs held;
    private final List<Violation> misfits = new ArrayList<>();

    ChangeValidator(RoundProblem problem, WithheldJobs held) {
        this.problem = problem;
        this.held = held;
    }

    /** The member {@code job} names a job of the problem. */
    ChangeValidator job(String id) {
        return isThere("job", id, jobs(problem.jobs()), jobs(held.jobs()));
    }

    /** The member {@code preparation} names a preparation of the problem. */
    ChangeValidator preparation(String id) {
        return isThere("preparation", id, preparations(problem.preparations()), preparations(held.preparations()));
    }

    private ChangeValidator isThere(String kind, String id, Stream<String> active, Stream<String> heldBack) {
        if (active.anyMatch(id::equals)) {
            return this;
        }
        boolean isHeld = heldBack.anyMatch(id::equals);
        return require(
                false, "/" + kind, isHeld ? "%s %s is held back" : "%s %s does not exist or has ended", kind, id);
    }

    /** What the member {@code kind} names is neither a job nor a preparation yet, be it one that is held back. */
    ChangeValidator isNew(String kind, String id) {
        boolean isJob = Stream.concat(jobs(problem.jobs()), jobs(held.jobs())).anyMatch(id::equals);
        boolean isPreparation = Stream.concat(preparations(problem.preparations()), preparations(held.preparations()))
                .anyMatch(id::equals);
        return require(!isJob, "/" + kind, "job %s exists", id)
                .require(!isPreparation, "/" + kind, "preparation %s exists", id);
    }

    /** The member {@code tenant} names a tenant. */
    ChangeValidator tenant(String name) {
        return require(
                problem.tenants().stream().anyMatch(other -> other.name().equals(name)),
                "/tenant",
                "tenant %s does not exist",
                name);
    }

    /** The specification of a job of {@code tenant} names no group, or one for that tenant or for one above it. */
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

    /** A member names an accelerator type, or is null. */
    ChangeValidator type(String pointer, @Nullable String name) {
        return require(
                name == null || NamedLists.has(problem.acceleratorTypes(), AcceleratorType::name, name),
                pointer,
                "accelerator type %s does not exist",
                name);
    }

    /** A member names a pool, or is null. */
    ChangeValidator pool(String pointer, @Nullable String name) {
        return require(
                name == null || NamedLists.has(problem.pools(), Pool::name, name),
                pointer,
                "pool %s does not exist",
                name);
    }

    /** The member {@code node} names a node. */
    ChangeValidator node(String id) {
        return nodeAt("/node", id, nodes());
    }

    /** The member {@code nodes} names nodes. */
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

    /** Something else that must be so; {@code message} says what is wrong if it is not. */
    @SuppressWarnings("AnnotateFormatMethod") // as in Checks: not worth a dependency
    ChangeValidator require(boolean holds, String pointer, String message, @Nullable Object... values) {
        if (!holds) {
            misfits.add(new Violation(RULE, pointer, message.formatted(values)));
        }
        return this;
    }

    /** @throws Misfits if anything does not fit */
    void demand() {
        if (!misfits.isEmpty()) {
            throw new InvalidChangeException(misfits);
        }
    }

    /** The job of an id, also if it is held back; empty if there is none. */
    Optional<Job> find(String id) {
        return Stream.concat(problem.jobs().stream(), held.jobs().stream())
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
