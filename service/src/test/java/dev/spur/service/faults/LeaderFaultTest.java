package dev.spur.service.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.validation.ProblemCheck;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.testing.TestCluster;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.support.TransactionTemplate;

/** Two replicas on one database, and faults of the one that plans. */
class LeaderFaultTest {
    private static TestDatabase database;
    private static Replica one;
    private static Replica two;

    @BeforeAll
    static void startTwo() throws Exception {
        database = TestDatabase.migrated();
        one = Replica.start(database);
        two = Replica.start(database);
        one.world().reset();
        one.world().node("n1", 64);
        Faults.await("a plan", () -> one.world().value(Boolean.class, "select exists (select 1 from plan)"));
    }

    @AfterAll
    static void stopBoth() throws Exception {
        one.close();
        two.close();
        database.close();
    }

    /** What must be true of the database whatever broke. */
    @AfterEach
    void allIsAsItShouldBe() {
        for (Replica replica : List.of(one, two)) {
            replica.wire.mend();
            replica.faults().disarm();
            replica.policy().reset();
        }
        TestCluster world = one.world();
        assertThat(
                        world.value(
                                Long.class,
                                "select count(*) from plan a join plan b on a.revision < b.revision and a.lease_term > b.lease_term"))
                .as("plans of an older planner after those of a newer one")
                .isZero();
        assertThat(world.value(Long.class, """
                        with held as (
                            select id, piece ->> 'node' as node, device from job, jsonb_array_elements(allocation -> 'placement') piece,
                                jsonb_array_elements_text(piece -> 'devices') device)
                        select count(*) from held a join held b on a.node = b.node and a.device = b.device and a.id < b.id
                        """)).as("devices of two jobs").isZero();
        assertThat(ProblemCheck.violations(one.bean(SnapshotReader.class).read().problem()))
                .isEmpty();
    }

    private static Replica leader() throws Exception {
        Faults.await(
                "a planner",
                () -> plans(one) != plans(two)
                        && one.faults().idle()
                        && two.faults().idle());
        return plans(one) ? one : two;
    }

    private static boolean plans(Replica replica) {
        return replica.api.get("/metrics").text().contains("spur_planner 1.0");
    }

    private static long leaseTerm() {
        return one.world().value(Long.class, "select lease_term from planner_lease");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "predict",
                "profile",
                "snapshot",
                "check",
                "plan",
                "validate",
                "aggregate",
                "diff",
                "publish",
                "save"
            })
    void aLeaderThatDiesInAStepIsFollowedAndDoesNoHarmWhenItIsBack(String step) throws Exception {
        Replica leader = leader();
        Replica other = leader == one ? two : one;
        CountDownLatch dead = new CountDownLatch(1);
        CountDownLatch back = new CountDownLatch(1);
        leader.faults().at(step, () -> {
            leader.wire.cut();
            dead.countDown();
            Faults.awaitStubbornly(back);
        });
        String job = other.world().job(1);
        Faults.await("the fault", () -> {
            other.api.post("/api/v1/rounds");
            return dead.getCount() == 0;
        });
        long cut = System.nanoTime();
        Faults.await(
                "the other one to plan",
                () -> plans(other) && other.world().state(job).equals("RUNNING"));
        Faults.tell("leader dead in step " + step, cut);

        // two leaders for a moment: the old one goes on where it was
        leader.wire.mend();
        back.countDown();
        Faults.await("the end of its round", () -> leader.faults().idle());

        PlanDocument plan =
                PlanDocument.of(other.bean(PlanStore.class).current().orElseThrow());
        assertThat(plan.running())
                .filteredOn(entry -> entry.jobId().equals(job))
                .extracting(PlanEntry::generation)
                .containsExactly(1L);
        assertThat(other.world().generation(job)).isEqualTo(1);
    }

    /**
     * The database knows nothing of a machine without power, and keeps its transaction, and with that the lease's lock.
     */
    @Test
    @Tag("fault")
    void aLeaderThatLosesItsPowerInsideItsPublicationIsFollowed() throws Exception {
        Replica leader = leader();
        Replica other = leader == one ? two : one;
        long before = leaseTerm();
        CountDownLatch back = new CountDownLatch(1);
        CompletableFuture<Boolean> publication = CompletableFuture.supplyAsync(() -> holdTheLease(leader, back));
        Faults.await("the power to go", () -> leader.wire.isFrozen());
        long off = System.nanoTime();
        Faults.await("the other one to plan", () -> plans(other));
        Faults.tell("leader without power inside its publication", off);
        leader.wire.mend();
        back.countDown();

        assertThatThrownBy(publication::join).as("its transaction has ended").isNotNull();
        Faults.await("it to be alive", () -> leader.api.get("/health/ready").status() == 200);
        assertThat(leaseTerm()).isGreaterThan(before);
    }

    /** Takes the lock as a publication does, then loses power. */
    private static boolean holdTheLease(Replica leader, CountDownLatch back) {
        TestCluster world = leader.world();
        return leader.bean(TransactionTemplate.class).execute(status -> {
            boolean held = leader.bean(LeaseStore.class)
                    .lock(new Lease(world.value(String.class, "select holder from planner_lease"), leaseTerm()));
            assertThat(held).isTrue();
            leader.wire.freeze();
            Faults.awaitStubbornly(back);
            return world.value(Boolean.class, "select true");
        });
    }

    @Test
    void aPolicyOutOfMemoryCostsARoundOnly() throws Exception {
        for (Replica replica : List.of(one, two)) {
            replica.policy().use(problem -> {
                throw new OutOfMemoryError("no heap for the solve");
            });
        }
        theRoundIsGivenUpAndTheNextOneWorks("no heap for the solve");
    }

    @Test
    void aStepOutOfMemoryCostsARoundOnly() throws Exception {
        for (Replica replica : List.of(one, two)) {
            replica.faults().at("diff", () -> {
                throw new OutOfMemoryError("no heap for the difference");
            });
        }
        theRoundIsGivenUpAndTheNextOneWorks("no heap for the difference");
    }

    private static void theRoundIsGivenUpAndTheNextOneWorks(String error) throws Exception {
        TestCluster world = one.world();
        long plan = world.value(Long.class, "select max(revision) from plan");
        long round = world.value(Long.class, "select coalesce(max(number), 0) from round");
        String job = world.job(1);
        one.api.post("/api/v1/rounds");
        Faults.await(
                "the round to be given up",
                () -> world.value(
                                Long.class,
                                "select count(*) from round where number > ? and error like ?",
                                round,
                                "%" + error + "%")
                        >= 1);
        long failed = System.nanoTime();
        assertThat(world.value(Long.class, "select max(revision) from plan")).isEqualTo(plan);
        one.faults().disarm();
        two.faults().disarm();

        one.policy().reset();
        two.policy().reset();
        Faults.await("the next round", () -> {
            one.api.post("/api/v1/rounds");
            return world.state(job).equals("RUNNING");
        });
        Faults.tell("round given up: " + error, failed);
    }
}
