package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.plans.DroppedEntry;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.plans.RoundStore;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.testing.GreedyPolicy;
import dev.spur.service.testing.ServiceTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class PlanPublisherTest extends ServiceTest {
    @Autowired
    private RoundRunner runner;

    @Autowired
    private PlanPublisher publisher;

    @Autowired
    private AggregatorLayoutStep layouts;

    @Autowired
    private LeaseStore leases;

    @Autowired
    private RoundStore rounds;

    @Autowired
    private PlanStore plans;

    @Autowired
    private SnapshotReader snapshots;

    private Lease lease;

    @BeforeEach
    void takeTheLease() {
        lease = take("one");
        world.node("n1", 4);
        world.node("n2", 4);
    }

    private Lease take(String holder) {
        return new Lease(holder, leases.take(holder, 60).orElseThrow());
    }

    private RoundReport round() {
        return runner.run(lease, "test");
    }

    private PlanDocument current() {
        return PlanDocument.of(plans.current().orElseThrow());
    }

    @Nested
    class GenerationsAndRevisions {
        @Test
        void everyRoundThatChangesSomethingHasARevisionOfItsOwn() {
            world.job(1);
            assertThat(round().outcome().planRevision()).isEqualTo(1);
            world.job(1);
            assertThat(round().outcome().planRevision()).isEqualTo(2);
        }

        @Test
        void aRoundThatChangesNothingPublishesNothing() {
            world.job(1);
            world.job(99);
            round();
            RoundReport second = round();

            assertThat(second.outcome().status()).isEqualTo(RoundStatus.UNCHANGED);
            assertThat(second.outcome().planRevision()).isEqualTo(1);
            assertThat(plans.currentRevision()).hasValue(1);
        }

        @Test
        void aGenerationRisesOnlyWhenTheAllocationChanges() {
            String first = world.job(2);
            round();
            assertThat(world.generation(first)).isEqualTo(1);
            String second = world.job(2);
            round();

            assertThat(world.generation(first)).isEqualTo(1);
            assertThat(world.generation(second)).isEqualTo(1);
            assertThat(current().running())
                    .extracting(PlanEntry::jobId, PlanEntry::generation, PlanEntry::change)
                    .containsExactlyInAnyOrder(
                            org.assertj.core.groups.Tuple.tuple(first, 1L, ChangeKind.KEEP),
                            org.assertj.core.groups.Tuple.tuple(second, 1L, ChangeKind.START));
        }

        @Test
        void aFirstStartAfterTheGenerationsOfAnEarlierJobIsNoRestart() {
            String job = world.job(2);
            world.sql("update job set generation = 5 where id = ?", job);
            round();
            assertThat(current().running())
                    .extracting(PlanEntry::generation, PlanEntry::restarts)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(6L, 0));

            world.sql("update job set state = 'WAITING', generation = 7, allocation = null where id = ?", job);
            round();
            assertThat(current().running())
                    .extracting(PlanEntry::generation, PlanEntry::restarts)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(8L, 1));
        }

        @Test
        void revisionsGoOnWhenOldPlansAreForgotten() {
            world.job(1);
            round();
            plans.prune(0);
            world.job(1);

            assertThat(round().outcome().planRevision()).isEqualTo(2);
        }

        @Test
        void theFirstPlanIsPublishedEvenIfItIsEmpty() {
            assertThat(round().outcome().status()).isEqualTo(RoundStatus.PUBLISHED);
            assertThat(current().running()).isEmpty();
        }
    }

    @Nested
    class JobsAfterwards {
        @Test
        void runOrWaitAsPlanned() {
            String fits = world.job(4);
            String tooLarge = world.job(9);
            round();

            assertThat(world.state(fits)).isEqualTo("RUNNING");
            assertThat(world.state(tooLarge)).isEqualTo("WAITING");
            assertThat(events(fits)).containsExactly("STARTED");
            assertThat(current().pending(tooLarge)).map(PendingJob::reason).contains(PendingReason.CAPACITY);
        }

        @Test
        void keepTheHistoryOfTheirAllocations() {
            String job = world.job(4);
            round();
            world.state("n1", NodeState.LOST);
            round();

            assertThat(world.generation(job)).isEqualTo(2);
            assertThat(world.value(Integer.class, "select restarts from job where id = ?", job))
                    .isEqualTo(1);
            assertThat(world.value(Long.class, "select count(*) from job_allocation where job_id = ?", job))
                    .isEqualTo(2);
            assertThat(world.value(
                            Long.class,
                            "select count(*) from job_allocation where job_id = ? and ended_at is null",
                            job))
                    .isEqualTo(1);
            assertThat(allocation(job).placement().get(0).node()).isEqualTo("n2");
        }

        @Test
        void waitWhenTheirNodeIsLostAndThereIsNoOther() {
            String job = world.job(4);
            world.state("n2", NodeState.DRAINING);
            round();
            world.state("n1", NodeState.LOST);
            round();

            assertThat(world.state(job)).isEqualTo("WAITING");
            assertThat(world.generation(job)).isEqualTo(2);
            assertThat(events(job)).containsExactly("STARTED", "PREEMPTED");
            assertThat(current().running()).isEmpty();
        }

        @Test
        void loseWhatTheyHoldWhenTheyAreHeld() {
            String job = world.job(4);
            round();
            world.sql("update job set held = true where id = ?", job);
            round();

            assertThat(world.state(job)).isEqualTo("WAITING");
            assertThat(current().running()).isEmpty();
        }
    }

    @Nested
    class OnlyTheHolderOfTheLeasePublishes {
        @Test
        void aPlannerWithAnOldEpochPublishesNothing() {
            String job = world.job(1);
            StateSnapshot snapshot = snapshots.read();
            RoundPlan plan = new GreedyPolicy().plan(snapshot.problem());
            long number = rounds.begin(lease, "test").orElseThrow();
            world.sql("update planner_lease set expires_at = clock_timestamp()");
            Lease other = take("two");

            RoundOutcome late = publisher.publish(
                    lease,
                    number,
                    snapshot,
                    plan,
                    JobDecision.of(snapshot, plan),
                    layouts.of(snapshot.problem(), plan));

            assertThat(late.status()).isEqualTo(RoundStatus.FENCED);
            assertThat(world.generation(job)).isZero();
            assertThat(plans.currentRevision()).isEmpty();
            assertThat(runner.run(other, "test").outcome().status()).isEqualTo(RoundStatus.PUBLISHED);
        }

        @Test
        void aReplicaWithAnExpiredLeasePublishesNothing() {
            world.job(1);
            world.sql("update planner_lease set expires_at = clock_timestamp()");

            assertThat(round().outcome().status()).isEqualTo(RoundStatus.FENCED);
            assertThat(plans.currentRevision()).isEmpty();
        }

        @Test
        void whatAPlannerLeftUnfinishedIsWrittenOff() {
            long left = rounds.begin(lease, "test").orElseThrow();
            RoundReport next = round();

            assertThat(next.number()).isEqualTo(left + 1);
            assertThat(rounds.find(left).orElseThrow().status()).isEqualTo(RoundStatus.ABANDONED);
        }
    }

    @Nested
    class WhatNewerStateHasOvertakenIsDropped {
        @Test
        void aStartOfAJobThatWasCancelled() {
            String cancelled = world.job(1);
            String other = world.job(1);
            List<DroppedEntry> dropped =
                    roundWith(() -> world.sql("update job set state = 'CANCELLED' where id = ?", cancelled));

            assertThat(dropped).containsExactly(new DroppedEntry(cancelled, "the job has ended"));
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactly(other);
            assertThat(world.state(cancelled)).isEqualTo("CANCELLED");
            assertThat(world.state(other)).isEqualTo("RUNNING");
        }

        @Test
        void aStartOfAJobWhoseSpecificationChanged() {
            String job = world.job(1);
            List<DroppedEntry> dropped = roundWith(() -> world.sql("update job set spec = spec where id = ?", job));

            assertThat(dropped).extracting(DroppedEntry::why).containsExactly("its specification has changed");
            assertThat(current().pending(job)).map(PendingJob::reason).contains(PendingReason.NOT_EVALUATED);
            assertThat(world.state(job)).isEqualTo("WAITING");
        }

        @Test
        void aStartOnANodeThatWasLostOrClosedOrRemoved() {
            String job = world.job(1);
            assertThat(roundWith(() -> world.state("n1", NodeState.LOST)))
                    .containsExactly(new DroppedEntry(job, "node n1 is lost"));
            world.state("n1", NodeState.ACTIVE);
            assertThat(roundWith(() -> world.state("n1", NodeState.CORDONED)))
                    .containsExactly(new DroppedEntry(job, "node n1 accepts no new jobs"));
            world.state("n1", NodeState.ACTIVE);
            assertThat(roundWith(() -> world.sql("delete from node where id = 'n1'")))
                    .containsExactly(new DroppedEntry(job, "node n1 was deleted"));
            assertThat(world.generation(job)).isZero();
        }

        @Test
        void aStartOnANodeThatHasBecomeAnotherOne() {
            String job = world.job(1);
            world.sql("insert into accelerator_type (name, memory_gib) values ('V100', 16)");

            assertThat(roundWith(() -> world.sql("update node set accelerator_type = 'V100' where id = 'n1'")))
                    .containsExactly(new DroppedEntry(job, "node n1 was replaced"));
        }

        @Test
        void aStartOfAJobThatWasHeld() {
            String job = world.job(1);

            assertThat(roundWith(() -> world.sql("update job set held = true where id = ?", job)))
                    .containsExactly(new DroppedEntry(job, "the job is held, or waits for another one"));
        }

        @Test
        void butNotAJobThatKeepsWhatItHas() {
            String job = world.job(1);
            round();
            String other = world.job(1);
            List<DroppedEntry> dropped = roundWith(() -> world.sql("update job set spec = spec where id = ?", job));

            assertThat(dropped).isEmpty();
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactlyInAnyOrder(job, other);
        }

        @Test
        void togetherWithWhatWasToCountAgainstTheSameCap() {
            world.sql("insert into job_group (name, tenant, max_jobs) values ('g', 'root', 1)");
            String first = world.job(4);
            world.sql("update job set spec = spec || '{\"group\": \"g\"}' where id = ?", first);
            round();
            String second = world.job(4);
            world.sql("update job set spec = spec || '{\"group\": \"g\"}' where id = ?", second);
            policy.use(problem -> without(new GreedyPolicy().plan(problem), first));
            List<DroppedEntry> dropped = roundWith(() -> world.sql("update job set spec = spec where id = ?", first));

            assertThat(dropped)
                    .containsExactlyInAnyOrder(
                            new DroppedEntry(first, "its specification has changed"),
                            new DroppedEntry(second, "the planned resources have not become free"));
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactly(first);
        }

        @Test
        void togetherWithWhatWasToGetItsDevices() {
            world.state("n2", NodeState.DRAINING);
            String first = world.job(4);
            round();
            String second = world.job(4);
            policy.use(problem -> swapped(new GreedyPolicy().plan(problem), first, second));
            List<DroppedEntry> dropped = roundWith(() -> world.sql("update job set spec = spec where id = ?", first));

            assertThat(dropped)
                    .containsExactlyInAnyOrder(
                            new DroppedEntry(first, "its specification has changed"),
                            new DroppedEntry(second, "the planned resources have not become free"));
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactly(first);
            assertThat(world.generation(first)).isEqualTo(1);
            assertThat(world.generation(second)).isZero();
        }

        /** A plan by the policy, published after {@code between} has happened. */
        private List<DroppedEntry> roundWith(Runnable between) {
            StateSnapshot snapshot = snapshots.read();
            RoundPlan plan = policy.plan(snapshot.problem());
            between.run();
            long number = rounds.begin(lease, "test").orElseThrow();
            var outcome = publisher.publish(
                    lease,
                    number,
                    snapshot,
                    plan,
                    JobDecision.of(snapshot, plan),
                    layouts.of(snapshot.problem(), plan));
            assertThat(outcome.status()).isIn(RoundStatus.PUBLISHED, RoundStatus.UNCHANGED);
            return outcome.dropped();
        }

        /** The same plan in which {@code stopped} waits. */
        private RoundPlan without(RoundPlan plan, String stopped) {
            var waits = new PendingJob(stopped, PendingReason.FAIR_SHARE, null, null, null, 1, "stopped");
            List<PlannedJob> others = plan.running().stream()
                    .filter(job -> !job.jobId().equals(stopped))
                    .toList();
            return new RoundPlan(others, List.of(waits), Map.of(), plan.quality(), plan.stats(), plan.memory());
        }

        /** The same plan with what {@code first} holds given to {@code second}. */
        private RoundPlan swapped(RoundPlan plan, String first, String second) {
            List<PlannedJob> running = new ArrayList<>();
            for (PlannedJob job : plan.running()) {
                running.add(new PlannedJob(second, job.allocation(), ChangeKind.START, 1, 1, "swapped"));
            }
            var waits = new PendingJob(first, PendingReason.FAIR_SHARE, null, null, null, 1, "swapped");
            return new RoundPlan(running, List.of(waits), Map.of(), plan.quality(), plan.stats(), plan.memory());
        }
    }

    @Nested
    class Explanations {
        @Test
        void areThoseOfTheLastRoundThatDecidedTheSame() {
            world.job(1);
            round();
            PlanDocument first = current();

            assertThat(unchangedWith("No other speed is known.")).isEqualTo(first.revision());
            assertThat(messages()).containsExactly("No other speed is known.");
            assertThat(current().publishedAt()).isEqualTo(first.publishedAt());
            assertThat(current().explainedAt()).isAfter(first.explainedAt());
            assertThat(plans.newest().orElseThrow().explainedAt())
                    .isEqualTo(current().explainedAt());
        }

        @Test
        void arePreservedForAMinuteIfOnlyNumbersDiffer() {
            world.job(1);
            round();
            unchangedWith("It has 12.5 samples/s.");
            unchangedWith("It has 1,300 samples/s.");
            assertThat(messages()).containsExactly("It has 12.5 samples/s.");

            world.sql("update plan set body = jsonb_set(body::jsonb, '{explainedAt}', "
                    + "to_jsonb(to_char(now() - interval '1 minute', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')))::text");
            unchangedWith("It has 1,400 samples/s.");
            assertThat(messages()).containsExactly("It has 1,400 samples/s.");
        }

        private List<String> messages() {
            return current().running().stream().map(PlanEntry::message).toList();
        }

        /** Publishes the same decisions with another message. Returns the revision. */
        private long unchangedWith(String message) {
            StateSnapshot snapshot = snapshots.read();
            RoundPlan same = policy.plan(snapshot.problem());
            List<PlannedJob> running = same.running().stream()
                    .map(job -> new PlannedJob(
                            job.jobId(), job.allocation(), job.change(), job.goodput(), job.utility(), message))
                    .toList();
            RoundPlan plan = new RoundPlan(
                    running, same.waiting(), same.deadlineStatuses(), same.quality(), same.stats(), same.memory());
            var outcome = publisher.publish(
                    lease,
                    rounds.begin(lease, "test").orElseThrow(),
                    snapshot,
                    plan,
                    JobDecision.of(snapshot, plan),
                    layouts.of(snapshot.problem(), plan));
            assertThat(outcome.status()).isEqualTo(RoundStatus.UNCHANGED);
            return Objects.requireNonNull(outcome.planRevision());
        }
    }

    @Nested
    class PartsOfNodes {
        @Test
        void keepTheirRevisionUntilTheyChange() {
            world.job(4);
            round();
            world.job(4);
            round();

            assertThat(plans.current().orElseThrow().nodeRevisions())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("n1", 1L, "n2", 2L));
        }

        @Test
        void changeWhenTheyBecomeEmpty() {
            String job = world.job(4);
            round();
            world.sql("update job set state = 'DONE', allocation = null where id = ?", job);
            round();

            assertThat(plans.current().orElseThrow().nodeRevisions()).containsEntry("n1", 2L);
        }
    }

    private List<String> events(String job) {
        return List.of(world.value(
                        String.class,
                        "select coalesce(string_agg(kind, ',' order by id), '') from job_event where job_id = ?",
                        job)
                .split(","));
    }

    private Allocation allocation(String job) {
        return current().entry(job).orElseThrow().allocation();
    }
}
