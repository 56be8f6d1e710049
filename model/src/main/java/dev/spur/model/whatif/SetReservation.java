package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.AvailableNode;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reservation, in place of one of the same name if there is one. Times are seconds on the clock of the problem.
 *
 * @param reservation its name
 * @param nodes ids of the nodes; empty if {@code slots} says how many are to be found
 * @param tenant the tenant whose subtree may use them; null keeps everybody off, or stands for that of {@code job}
 * @param start from when on; null if it has always held
 * @param end until before when, later than {@code start}; null if it never ends
 * @param job id of the only job that may use them; null for all of the tenant
 * @param leadSeconds time before {@code start} from which on others leave, at least 0; null if they stay until then,
 *     and for {@code job} stands for {@link Reservation#LEAD_FOR_A_JOB}
 * @param slots how many slots the nodes are to have; null if nodes are named
 */
public record SetReservation(
        String reservation,
        List<String> nodes,
        @Nullable String tenant,
        @Nullable Double start,
        @Nullable Double end,
        @Nullable String job,
        @Nullable Double leadSeconds,
        Reservation.@Nullable Slots slots)
        implements Change {
    public SetReservation {
        Checks.named("reservation", reservation);
        nodes = Checks.copy(nodes);
        Checks.require(
                nodes.isEmpty() == (slots != null), "nodes (%s) or slots: one of them says what is meant", nodes);
        Checks.require(
                start == null || end == null || end > start, "end (%s) must be later than start (%s)", end, start);
        Checks.require(leadSeconds == null || leadSeconds >= 0, "leadSeconds (%s) must be at least 0", leadSeconds);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        ChangeValidator fit = new ChangeValidator(problem, held).nodes(nodes);
        Optional<Job> keeper = Optional.ofNullable(job).flatMap(fit::find);
        String owner = tenant == null ? keeper.map(Job::tenant).orElse(null) : tenant;
        if (tenant != null) {
            fit.tenant(tenant);
        }
        List<String> kept = slots == null ? nodes : found(problem, slots, fit);
        if (job != null) {
            fit.require(keeper.isPresent(), "/job", "job %s does not exist or has ended", job);
            keeper.ifPresent(one -> mayUse(one, owner, kept, problem, fit));
        }
        fit.demand();
        Double lead = leadSeconds == null && job != null ? Double.valueOf(Reservation.LEAD_FOR_A_JOB) : leadSeconds;
        return problem.withReservations(NamedLists.put(
                problem.reservations(),
                Reservation::name,
                new Reservation(reservation, kept, owner, start, end, job, lead)));
    }

    private List<String> found(RoundProblem problem, Reservation.Slots wanted, ChangeValidator fit) {
        List<AvailableNode> open = new AvailableNodes(problem).during(start, end, reservation, job, wanted);
        int there = open.stream().mapToInt(AvailableNode::slots).sum();
        fit.require(
                there >= wanted.count(),
                "/slots/count",
                "only %d slots of type %s in pool %s can be kept at that time",
                there,
                wanted.acceleratorType(),
                wanted.pool());
        return AvailableNode.smallestSet(open, wanted.count());
    }

    private static void mayUse(
            Job keeper, @Nullable String owner, List<String> kept, RoundProblem problem, ChangeValidator fit) {
        fit.require(keeper.tenant().equals(owner), "/tenant", "differs from that of the job, %s", keeper.tenant());
        Set<String> theirs = new HashSet<>(kept);
        problem.nodes().stream()
                .filter(node -> theirs.contains(node.id()) && !keeper.spec().mayRunOn(node))
                .map(Node::id)
                .findFirst()
                .ifPresent(id -> fit.require(false, "/job", "the job does not run on node %s", id));
    }

    @Override
    public String words() {
        String what = slots == null
                ? "the nodes " + String.join(", ", nodes)
                : "nodes with %d slots of type %s in pool %s"
                        .formatted(slots.count(), slots.acceleratorType(), slots.pool());
        if (job != null) {
            return "keep %s for job %s".formatted(what, job);
        }
        return tenant == null ? "keep everybody off " + what : "keep %s for tenant %s".formatted(what, tenant);
    }
}
