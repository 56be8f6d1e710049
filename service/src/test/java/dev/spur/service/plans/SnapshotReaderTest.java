package dev.spur.service.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.Synchronization;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.testing.TestCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class SnapshotReaderTest extends ServiceTest {
    @Autowired
    private SnapshotReader snapshots;

    @Autowired
    private AggregationRemedyStore remedies;

    @BeforeEach
    void registerNodes() {
        world.node("n1", 4);
        world.node("n2", 4);
    }

    /** Gives a job two devices of a node, since ten minutes ago. */
    private void run(String job, String node) {
        double since = world.value(Double.class, "select extract(epoch from now())::double precision - 600");
        var configuration = new Configuration("main", "A100", List.of(2), SyncStrategy.ALL_REDUCE, 0, 64, 0);
        var allocation =
                new Allocation(configuration, List.of(new NodeShare(node, List.of("d0", "d1"))), List.of(), since);
        world.sql(
                "update job set state = 'RUNNING', generation = 1, allocated_since = to_timestamp(?), allocation = cast(? as jsonb) where id = ?",
                since,
                RoundJson.mapper().writeValueAsString(allocation),
                job);
    }

    private Job job(String id) {
        return snapshots.read().problem().jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Nested
    class TheProblem {
        @Test
        void isOneThatTheCheckFindsRight() {
            world.sql("insert into tenant (name, parent, weight, quotas) values ('a', 'root', 2,"
                    + " '{\"A100\": {\"nominal\": 2, \"borrowingLimit\": null, \"lendingLimit\": 1}}')");
            world.sql("insert into reservation (name, nodes, tenant, starts_at, ends_at) values"
                    + " ('r', '{n2}', 'a', now(), now() + interval '1 hour')");
            run(world.job(2), "n1");
            world.job(1);
            var problem = snapshots.read().problem();

            assertThat(ProblemCheck.violations(problem)).isEmpty();
            assertThat(problem.nodes()).extracting(node -> node.id()).containsExactly("n1", "n2");
            assertThat(problem.tenants()).hasSize(2);
            assertThat(problem.reservations())
                    .singleElement()
                    .satisfies(reservation ->
                            assertThat(reservation.holdsAt(problem.now())).isTrue());
        }

        @Test
        void keepsNodesForAJobOnlyUntilItHasEnded() {
            String retained = world.job(1);
            String ended = world.job(1);
            world.sql(
                    "insert into reservation (name, nodes, tenant, job) values ('for-kept', '{n1}', 'root', ?),"
                            + " ('for-ended', '{n2}', 'root', ?), ('for-all', '{n2}', 'root', null)",
                    retained,
                    ended);
            for (String state : List.of("DONE", "FAILED", "CANCELLED")) {
                world.sql("update job set state = ? where id = ?", state, ended);

                assertThat(snapshots.read().problem().reservations())
                        .as(state)
                        .extracting(reservation -> reservation.name())
                        .containsExactly("for-all", "for-kept");
            }
            world.sql("update job set state = 'WAITING' where id = ?", ended);
            assertThat(snapshots.read().problem().reservations()).hasSize(3);
        }

        @Test
        void ofOneJobAloneHoldsEverythingButTheOthers() {
            run(world.job(2), "n1");
            String requested = world.job(1);
            var all = snapshots.read().problem();

            var alone = snapshots.readAlone(requested).problem();

            assertThat(alone.jobs()).containsExactly(all.jobs().get(1));
            assertThat(alone.nodes()).isEqualTo(all.nodes());
            assertThat(alone.tenants()).isEqualTo(all.tenants());
        }

        @Test
        void ofTheClusterHasNoJobWhateverItsId() {
            world.sql("update job set id = '' where id = ?", world.job(1));

            assertThat(snapshots.readCluster().problem().jobs()).isEmpty();
        }

        @Test
        void holdsJobsInOrderOfSubmissionAndNoneThatHasEnded() {
            String first = world.job(1);
            String ended = world.job(1);
            String second = world.job(1);
            world.sql("update job set state = 'DONE' where id = ?", ended);

            assertThat(snapshots.read().problem().jobs()).extracting(Job::id).containsExactly(first, second);
        }

        @Test
        void leavesOutWhatIsHeldAndWhatAwaitsItsData() {
            String held = world.job(1);
            String waits = world.job(1);
            world.sql("update job set held = true where id = ?", held);
            world.depends(waits, "data");
            StateSnapshot snapshot = snapshots.read();

            assertThat(snapshot.problem().jobs()).isEmpty();
            assertThat(snapshot.held()).extracting(Job::id).containsExactly(held, waits);
        }

        @Test
        void goesOnFromTheMemoryAndTheTimeOfTheLastRound() {
            world.sql("insert into round (number, lease_term, trigger, status, snapshot_at, memory) values"
                    + " (1, 1, 't', 'PUBLISHED', now() + interval '1 hour',"
                    + " '{\"duals\": {\"slots\": 2.5}, \"counters\": {}}')");
            var problem = snapshots.read().problem();
            double later = world.value(Double.class, "select extract(epoch from now())::double precision + 3590");

            assertThat(problem.memory()).isEqualTo(new RoundMemory(Map.of("slots", 2.5), Map.of()));
            assertThat(problem.now()).as("a clock that was set back").isGreaterThan(later);
        }
    }

    @Nested
    class AJob {
        @Test
        void thatRunsHasHadItsSlotsUpToNow() {
            String id = world.job(2);
            run(id, "n1");
            Job job = job(id);

            assertThat(job.allocation()).isNotNull();
            assertThat(job.history().runSeconds()).isCloseTo(600, within(30.0));
            assertThat(job.history().attainedService()).isCloseTo(1200, within(60.0));
        }

        @Test
        void whoseNodeIsLostOrGoneHasNothingAndBeginsToWait() {
            String onLost = world.job(2);
            String onGone = world.job(2);
            run(onLost, "n1");
            run(onGone, "n2");
            world.state("n1", NodeState.LOST);
            world.sql("delete from node where id = 'n2'");
            StateSnapshot snapshot = snapshots.read();

            assertThat(snapshot.problem().jobs()).hasSize(2).allSatisfy(job -> {
                assertThat(job.allocation()).isNull();
                assertThat(job.history().waitingSince())
                        .isEqualTo(snapshot.problem().now());
            });
            assertThat(snapshot.stamps().get(onLost).allocation()).isNotNull();
        }

        @Test
        void whoseNodeHasComeBackAsAnotherOneHasNothing() {
            run(world.job(2), "n1");
            run(world.job(2), "n2");
            world.sql("insert into accelerator_type (name, memory_gib) values ('V100', 16)");
            world.sql("update node set accelerator_type = 'V100' where id = 'n1'");
            world.sql("update node set devices = '{other}' where id = 'n2'");
            var problem = snapshots.read().problem();

            assertThat(problem.jobs()).extracting(Job::allocation).containsOnlyNulls();
            assertThat(ProblemCheck.violations(problem)).isEmpty();
        }

        @Test
        void thatOnlyHasToReportItsEndStaysWhereItIs() {
            String id = world.job(2);
            run(id, "n1");
            world.sql("update job set state = 'COMPLETING', done_work = total_work, held = true where id = ?", id);
            Job job = job(id);

            assertThat(job.spec().preemptible()).isFalse();
            assertThat(job.remainingSamples()).isPositive();
        }

        @Test
        void withADeadlineHasAPromiseThatFits() {
            String id = world.job(1);
            world.sql("update job set deadline = now() + interval '1 hour' where id = ?", id);

            assertThat(job(id).deadlineStatus()).isEqualTo(DeadlineStatus.PENDING);
        }

        @Test
        void whoseConnectorDoesNotRestartItKeepsItsFirstBatch() {
            String elastic = world.job(1);
            String running = world.job(1);
            run(running, "n1");
            world.sql(
                    "update job set spec = jsonb_set(spec, '{batch}', spec -> 'batch' || '{\"initial\": 32, \"min\": 32}')");
            world.sql("insert into connector (name, kind, control_level) values ('slurm', 'SLURM', 'ADMIT')");
            world.sql("insert into connector_job (connector, platform_id, job_id) select 'slurm', id, id from job");

            assertThat(job(elastic).spec().batch().max()).isEqualTo(32);
            assertThat(job(running).spec().batch().max()).isGreaterThan(64);
            world.sql("update connector set control_level = 'RESIZE'");

            assertThat(job(elastic).spec().batch().max()).isGreaterThan(64);
        }

        @Test
        void ofAPlatformHasHostLevelsOnlyWhereItsConnectorRestartsIt() {
            String id = world.job(1);
            String live = world.job(1);
            String levels =
                    "{\"levels\": [{\"cpusPerSlot\": %s, \"memoryGiBPerSlot\": %s, \"speed\": 1}], \"onlyAtStart\": %s}";
            world.sql(
                    "update job set spec = jsonb_set(spec, '{hostSensitivity}', ?::jsonb) where id = ?",
                    levels.formatted(
                            job(id).spec().host().cpusPerSlot(),
                            job(id).spec().host().memoryGiBPerSlot(),
                            true),
                    id);
            world.sql(
                    "update job set spec = jsonb_set(spec, '{hostSensitivity}', ?::jsonb) where id = ?",
                    levels.formatted(
                            job(id).spec().host().cpusPerSlot(),
                            job(id).spec().host().memoryGiBPerSlot(),
                            false),
                    live);
            world.sql("insert into connector (name, kind, control_level) values ('slurm', 'SLURM', 'ADMIT')");
            world.sql("insert into connector_job (connector, platform_id, job_id) select 'slurm', id, id from job");

            assertThat(job(id).spec().hostSensitivity()).isNull();
            world.sql("update connector set control_level = 'RESIZE'");

            assertThat(job(id).spec().hostSensitivity()).isNotNull();
            assertThat(job(live).spec().hostSensitivity()).isNull();
        }

        @Test
        void isPlannedWithTheRemedyOfItsAggregationForAnHour() {
            String id = world.job(1);
            world.sql("""
                    update job set spec = jsonb_set(spec, '{synchronization}', '{"allReduce": true, "parameterServer": true,
                        "minAggregationSlots": 1, "maxAggregationSlots": 2, "gradientBytes": 1000}')""");
            Synchronization shared = new Synchronization(true, true, 1, 2, 1000.0);
            assertThat(job(id).spec().synchronization()).isEqualTo(shared);

            remedies.write(List.of(new AggregationRemedy(id, AggregationRemedy.Kind.OWN_CPUS)));
            assertThat(job(id).spec().synchronization()).isEqualTo(shared.withoutSharing());
            remedies.write(List.of(new AggregationRemedy(id, AggregationRemedy.Kind.ALL_REDUCE)));
            assertThat(job(id).spec().synchronization()).isEqualTo(Synchronization.allReduceOnly());
            remedies.write(List.of(new AggregationRemedy(id, AggregationRemedy.Kind.NONE)));
            assertThat(job(id).spec().synchronization()).isEqualTo(Synchronization.allReduceOnly());

            world.sql("update aggregation_remedy set decided_at = now() - interval '61 minutes'");
            assertThat(job(id).spec().synchronization()).isEqualTo(shared);
        }

        @Test
        void isReadAgainWhenItsSpecificationChanges() {
            String id = world.job(1);
            assertThat(job(id).spec().weight()).isEqualTo(1);
            long before = snapshots.read().stamps().get(id).specVersion();
            world.sql("update job set spec = jsonb_set(spec, '{weight}', '3') where id = ?", id);

            assertThat(job(id).spec().weight()).isEqualTo(3);
            assertThat(snapshots.read().stamps().get(id).specVersion()).isEqualTo(before + 1);
        }
    }

    @Test
    void fiveThousandJobsAreReadInMoments() {
        world.sql("""
                insert into job (id, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state, total_work)
                select gen_random_uuid()::text, 'root', 'ann', 'n', '{}', cast(? as jsonb), 'NONE', false, 'WAITING', 1e6
                from generate_series(1, 5000)
                """, RoundJson.mapper().writeValueAsString(TestCluster.spec(1)));
        assertThat(snapshots.read().problem().jobs()).hasSize(5000);
        long start = System.nanoTime();
        snapshots.read();
        double seconds = (System.nanoTime() - start) / 1e9;

        System.out.printf("snapshot of 5,000 known jobs: %.0f ms%n", seconds * 1000);
        assertThat(seconds).as("generous: the machine may be busy").isLessThan(5);
    }
}
