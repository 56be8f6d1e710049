package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.AvailableNode;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.RoundProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A reservation that replaces one of the same name, if there is one. Times are seconds on the clock of the problem.
 *
 * @param reservation its name
 * @param nodes ids of the nodes; empty if {@code slots} selects them
 * @param tenant the tenant whose subtree may use them; null for the tenant of {@code job}, or without a job, to exclude
 *     all jobs
 * @param start start; null if it has always been active
 * @param end end, exclusive, later than {@code start}; null if it never ends
 * @param job id of the only job that may use them; null for all jobs of the tenant
 * @param leadSeconds time before {@code start} from which other jobs leave, at least 0; null if they stay until
 *     {@code start}, or with {@code job} for the default {@link Reservation#LEAD_FOR_A_JOB}
 * @param slots slots for which nodes are selected; null if {@code nodes} names them
 */
public record SetReservation(
        String reservation,
        List<String> nodes,
        @Nullable String tenant,

        @JsonSerialize(using = Rfc3339.TimeSerializer.class)
        @JsonDeserialize(using = Rfc3339.TimeDeserializer.class)
        @Nullable
        Double start,

        @JsonSerialize(using = Rfc3339.TimeSerializer.class)
        @JsonDeserialize(using = Rfc3339.TimeDeserializer.class)
        @Nullable
        Double end,

        @Nullable String job,
        @Nullable Double leadSeconds,
        Reservation.@Nullable Slots slots)
        implements Change {
    public SetReservation {
        Checks.nonBlank("reservation", reservation);
        nodes = Checks.copy(nodes);
        Checks.require(
                nodes.isEmpty() == (slots != null), "nodes (%s) or slots: exactly one of them is required", nodes);
        Checks.require(
                start == null || end == null || end > start, "end (%s) must be later than start (%s)", end, start);
        Checks.require(leadSeconds == null || leadSeconds >= 0, "leadSeconds (%s) must be at least 0", leadSeconds);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        ChangeValidator validator = new ChangeValidator(problem, withheldJobs).nodes(nodes);
        Optional<Job> holderJob = Optional.ofNullable(job).flatMap(validator::find);
        String owner = tenant == null ? holderJob.map(Job::tenant).orElse(null) : tenant;
        if (tenant != null) {
            validator.tenant(tenant);
        }
        List<String> reserved = slots == null ? nodes : select(problem, slots, validator);
        if (job != null) {
            validator.require(holderJob.isPresent(), "/job", "job %s does not exist or has ended", job);
            holderJob.ifPresent(one -> requireMayRun(one, owner, reserved, problem, validator));
        }
        validator.throwIfInvalid();
        Double lead = leadSeconds == null && job != null ? Double.valueOf(Reservation.LEAD_FOR_A_JOB) : leadSeconds;
        return problem.withReservations(NamedLists.put(
                problem.reservations(),
                Reservation::name,
                new Reservation(reservation, reserved, owner, start, end, job, lead)));
    }

    private List<String> select(RoundProblem problem, Reservation.Slots desiredSlots, ChangeValidator validator) {
        List<AvailableNode> openNodes = new AvailableNodes(problem).during(start, end, reservation, job, desiredSlots);
        int total = openNodes.stream().mapToInt(AvailableNode::slots).sum();
        validator.require(
                total >= desiredSlots.count(),
                "/slots/count",
                "only %d slots of type %s in pool %s can be reserved at that time",
                total,
                desiredSlots.acceleratorType(),
                desiredSlots.pool());
        return AvailableNode.smallestSet(openNodes, desiredSlots.count());
    }

    private static void requireMayRun(
            Job holderJob,
            @Nullable String owner,
            List<String> reserved,
            RoundProblem problem,
            ChangeValidator validator) {
        validator.require(
                holderJob.tenant().equals(owner), "/tenant", "differs from that of the job, %s", holderJob.tenant());
        Set<String> reservedIds = new HashSet<>(reserved);
        problem.nodes().stream()
                .filter(node ->
                        reservedIds.contains(node.id()) && !holderJob.spec().mayRunOn(node))
                .map(Node::id)
                .findFirst()
                .ifPresent(id -> validator.require(false, "/job", "the job may not run on node %s", id));
    }

    @Override
    public String describe() {
        String what = slots == null
                ? "the nodes " + String.join(", ", nodes)
                : "nodes with %d slots of type %s in pool %s"
                        .formatted(slots.count(), slots.acceleratorType(), slots.pool());
        if (job != null) {
            return "reserve %s for job %s".formatted(what, job);
        }
        return tenant == null ? "reserve " + what + " for no job" : "reserve %s for tenant %s".formatted(what, tenant);
    }
}
