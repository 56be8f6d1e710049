package dev.spur.model.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.spur.model.Problems;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.validation.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes of when nodes are kept for somebody, or worked on. The time is 1,000. */
class CalendarChangesTest {
    private static final Job FIXED = running("fixed", "n1", false);
    /** Four nodes of four slots, of which n1 has a job that may not be stopped and n2 one that may. */
    private static final RoundProblem PROBLEM = Problems.problem(
                    List.of(
                            Problems.node("n1", 4),
                            Problems.node("n2", 4),
                            Problems.node("n3", 4),
                            Problems.node("n4", 4)),
                    List.of(FIXED, running("runs", "n2", true), Problems.job("waits", 1, 4)))
            .withTenants(List.of(new Tenant("root", null, 1, Map.of()), new Tenant("vision", "root", 1, Map.of())));

    private static final WithheldJobs HELD = new WithheldJobs(
            List.of(Problems.job("held", 1, 4), inPool("side", Problems.job("picky", 1, 4))), List.of());

    private static Job running(String id, String node, boolean preemptible) {
        Job waiting = Problems.job(id, 1, 4);
        return waiting.withSpec(waiting.spec().edit().preemptible(preemptible).build())
                .withAllocation(new Allocation(
                        new Configuration("main", "A100", List.of(1), SyncStrategy.ALL_REDUCE, 0, 64, 0),
                        List.of(new NodeShare(node, List.of("d0"))),
                        List.of(),
                        100));
    }

    private static Job inPool(String pool, Job job) {
        Elasticity there = new Elasticity(List.of(), List.of(pool), 1, 4, false, List.of(), null, false);
        return job.withSpec(job.spec().edit().elasticity(there).build());
    }

    private static SetReservation nodes(String name, String... nodes) {
        return new SetReservation(name, List.of(nodes), "vision", 2000.0, 3000.0, null, null, null);
    }

    private static SetReservation slots(int count) {
        return slots(count, null, 2000.0, 3000.0);
    }

    private static SetReservation slots(int count, String job, Double start, Double end) {
        return new SetReservation(
                "r",
                List.of(),
                job == null ? "vision" : null,
                start,
                end,
                job,
                null,
                new Reservation.Slots("main", "A100", count));
    }

    private static SetMaintenance works(String name, double start, double end, String... nodes) {
        return new SetMaintenance(name, List.of(nodes), null, start, end, 60);
    }

    private static RoundProblem after(Change... changes) {
        return Changes.applyAll(PROBLEM, HELD, List.of(changes));
    }

    private static List<Violation> violations(Change... changes) {
        return Changes.apply(PROBLEM, HELD, List.of(changes)).violations();
    }

    private static List<String> retained(RoundProblem problem, Change reservation) {
        RoundProblem changedProblem = reservation.applyTo(problem, HELD);
        return changedProblem
                .reservations()
                .get(changedProblem.reservations().size() - 1)
                .nodes();
    }

    @Nested
    class AReservation {
        @Test
        void isAddedOrTakesThePlaceOfTheOneOfItsName() {
            assertThat(after(nodes("a", "n1"), nodes("b", "n2"), nodes("a", "n3"))
                            .reservations())
                    .containsExactly(
                            new Reservation("a", List.of("n3"), "vision", 2000, 3000),
                            new Reservation("b", List.of("n2"), "vision", 2000, 3000));
        }

        @Test
        void isRemovedByName() {
            assertThat(after(nodes("a", "n1"), nodes("b", "n2"), new RemoveReservation("a"))
                            .reservations())
                    .extracting(Reservation::name)
                    .containsExactly("b");
            assertThat(violations(new RemoveReservation("a")))
                    .extracting(Violation::subject)
                    .containsExactly("/changes/0/reservation");
        }

        @Test
        void forAJobIsForItsTenantAndHasALeadAlsoIfTheJobIsHeldBack() {
            for (String job : List.of("waits", "held")) {
                assertThat(after(new SetReservation("r", List.of("n3"), null, 2000.0, null, job, null, null))
                                .reservations())
                        .containsExactly(new Reservation("r", List.of("n3"), "root", 2000.0, null, job, 300.0));
            }
            assertThat(after(new SetReservation("r", List.of("n3"), "root", 2000.0, null, "waits", 5.0, null))
                            .reservations()
                            .get(0)
                            .leadSeconds())
                    .isEqualTo(5.0);
        }

        @Test
        void namesEverythingThatIsWrongAtOnce() {
            assertThat(violations(
                            new SetReservation("r", List.of("n1", "x", "y"), "nobody", null, null, "z", null, null)))
                    .extracting(Violation::subject, Violation::message)
                    .containsExactly(
                            tuple("/changes/0/nodes/1", "node x does not exist"),
                            tuple("/changes/0/nodes/2", "node y does not exist"),
                            tuple("/changes/0/tenant", "tenant nobody does not exist"),
                            tuple("/changes/0/job", "job z does not exist or has ended"));
        }

        @Test
        void isForTheTenantOfItsJobOnNodesOnWhichThatRuns() {
            assertThat(violations(
                            new SetReservation("r", List.of("n1"), "vision", null, null, "waits", null, null),
                            new SetReservation("r", List.of("n1", "n2"), null, null, null, "picky", null, null)))
                    .extracting(Violation::subject, Violation::message)
                    .containsExactly(
                            tuple("/changes/0/tenant", "differs from that of the job, root"),
                            tuple("/changes/1/job", "the job may not run on node n1"));
        }

        @Test
        void namesNodesOrSlots() {
            assertThatThrownBy(() -> new SetReservation("r", List.of(), null, null, null, null, null, null))
                    .hasMessageContaining("nodes ([]) or slots: exactly one");
            assertThatThrownBy(() -> new SetReservation(
                            "r", List.of("n1"), null, null, null, null, null, new Reservation.Slots("main", "A100", 1)))
                    .hasMessageContaining("nodes ([n1]) or slots: exactly one");
            assertThatThrownBy(() -> new SetReservation("r", List.of("n1"), null, 2.0, 2.0, null, null, null))
                    .hasMessageContaining("end (2.0) must be later than start (2.0)");
        }
    }

    @Nested
    class Slots {
        @Test
        void areFoundOnTheFewestNodesThoseWithProtectedJobsLast() {
            assertThat(retained(PROBLEM, slots(4))).containsExactly("n2");
            assertThat(retained(PROBLEM, slots(12))).containsExactly("n2", "n3", "n4");
            assertThat(retained(PROBLEM, slots(16))).containsExactly("n2", "n3", "n4", "n1");
            assertThat(retained(PROBLEM, slots(4, "fixed", 2000.0, 3000.0))).containsExactly("n1");
        }

        @Test
        void areThoseOfPoolAndTypeOnNodesThatTakeJobs() {
            RoundProblem problem = after(new SetNodeState("n2", NodeState.CORDONED));

            assertThat(retained(problem, slots(4))).containsExactly("n3");
            assertThat(violations(
                            slots(17),
                            new SetReservation(
                                    "r",
                                    List.of(),
                                    null,
                                    null,
                                    null,
                                    null,
                                    null,
                                    new Reservation.Slots("main", "T4", 1)),
                            new SetReservation(
                                    "r",
                                    List.of(),
                                    null,
                                    null,
                                    null,
                                    null,
                                    null,
                                    new Reservation.Slots("x", "A100", 1))))
                    .extracting(Violation::subject, Violation::message)
                    .containsExactly(
                            tuple(
                                    "/changes/0/slots/count",
                                    "only 16 slots of type A100 in pool main can be reserved at that time"),
                            tuple(
                                    "/changes/1/slots/count",
                                    "only 0 slots of type T4 in pool main can be reserved at that time"),
                            tuple(
                                    "/changes/2/slots/count",
                                    "only 0 slots of type A100 in pool x can be reserved at that time"));
        }

        @Test
        void thatOthersHaveAtThatTimeAreNotTaken() {
            RoundProblem problem = after(nodes("other", "n2"), works("m", 2500, 2600, "n3"));

            assertThat(retained(problem, slots(4))).containsExactly("n4");
            assertThat(retained(problem, slots(4, null, null, null))).containsExactly("n4");
            assertThat(retained(problem, slots(4, null, 3000.0, 4000.0))).containsExactly("n2");
            assertThat(retained(problem, slots(12, null, 1000.0, 2000.0))).containsExactly("n2", "n3", "n4");
            assertThat(retained(problem, slots(8, null, 2600.0, 2700.0))).containsExactly("n3", "n4");
        }

        @Test
        void ofTheReservationThatIsReplacedAreFree() {
            RoundProblem problem = after(nodes("r", "n2"), nodes("other", "n3"));

            assertThat(slots(4).applyTo(problem, HELD).reservations())
                    .extracting(Reservation::name, Reservation::nodes)
                    .containsExactly(tuple("r", List.of("n2")), tuple("other", List.of("n3")));
        }
    }

    @Nested
    class Maintenance {
        @Test
        void isAddedOrTakesThePlaceOfTheOneOfItsName() {
            assertThat(after(works("a", 2000, 3000, "n1"), works("b", 2000, 3000, "n2"), works("a", 2500, 3500, "n1"))
                            .maintenance())
                    .containsExactly(
                            new MaintenanceWindow("a", List.of("n1"), 2500, 3500, 60),
                            new MaintenanceWindow("b", List.of("n2"), 2000, 3000, 60));
        }

        @Test
        void isOfAllNodesOfAPool() {
            assertThat(after(
                                    new AddNodes(List.of(Problems.node("n5", 1))),
                                    new SetMaintenance("all", List.of(), "main", 2000, 3000, 60))
                            .maintenance())
                    .containsExactly(
                            new MaintenanceWindow("all", List.of("n1", "n2", "n3", "n4", "n5"), 2000, 3000, 60));
        }

        @Test
        void stopsWhoIsThereOnceItHasBegunWhateverTheyWerePromised() {
            assertThat(allocation(after(works("m", 900, 3000, "n1")), "fixed")).isNull();
            assertThat(allocation(after(works("m", 1000, 3000, "n1")), "fixed")).isNull();
            assertThat(allocation(after(works("m", 1001, 3000, "n1")), "fixed")).isEqualTo(FIXED.allocation());
        }

        private Allocation allocation(RoundProblem problem, String id) {
            return problem.jobs().stream()
                    .filter(job -> job.id().equals(id))
                    .findFirst()
                    .orElseThrow()
                    .allocation();
        }

        @Test
        void isRemovedByName() {
            assertThat(after(works("a", 2000, 3000, "n1"), new RemoveMaintenance("a"))
                            .maintenance())
                    .isEmpty();
            assertThat(violations(new RemoveMaintenance("a")))
                    .extracting(Violation::subject)
                    .containsExactly("/changes/0/window");
        }

        @Test
        void namesEverythingThatIsWrongAtOnce() {
            assertThat(violations(
                            works("first", 2000, 3000, "n2"),
                            works("second", 2999, 4000, "x", "n2"),
                            works("past", 500, 1000, "y"),
                            new SetMaintenance("pool", List.of(), "main", 1500, 2001, 60),
                            new SetMaintenance("nowhere", List.of(), "x", 1500, 2001, 60),
                            works("after", 3000, 4000, "n2"),
                            works("before", 1500, 2000, "n2")))
                    .extracting(Violation::subject, Violation::message)
                    .containsExactly(
                            tuple("/changes/1/nodes/0", "node x does not exist"),
                            tuple("/changes/1/nodes/1", "node n2 is in maintenance window first at that time"),
                            tuple("/changes/2/nodes/0", "node y does not exist"),
                            tuple("/changes/2/end", "is in the past; the time of the problem is 1000"),
                            tuple("/changes/3/pool", "node n2 is in maintenance window first at that time"),
                            tuple("/changes/4/pool", "pool x does not exist"));
        }

        @Test
        void namesNodesOrAPool() {
            assertThatThrownBy(() -> works("m", 1, 2)).hasMessageContaining("nodes ([]) or pool (null): exactly one");
            assertThatThrownBy(() -> new SetMaintenance("m", List.of("n1"), "main", 1, 2, 0))
                    .hasMessageContaining("nodes ([n1]) or pool (main): exactly one");
            assertThatThrownBy(() -> works("m", 2, 2, "n1")).hasMessageContaining("end (2.0) must be later");
        }
    }
}
