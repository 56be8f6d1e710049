package dev.spur.service.rounds;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.DependencyStore;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventDetail.PlannedChange;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.RankChangeStore;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.RoundStore;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StoredPlan;
import dev.spur.service.rounds.CurrentStateReader.PublicationJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Writes a plan that is being published, and carries out its decisions. */
@Repository
class PublicationWriter {
    /** Kinds of changes, and the parameters of their rows: new processes, changed ranks, and the same processes. */
    private static final String STARTS = "starts";

    private static final String RESCALES = "rescales";
    private static final String ADJUSTMENTS = "adjustments";

    private static final String ALLOCATE = """
            update job set generation = c.generation, version = version + 1, allocation = c.allocation,
                allocated_since = to_timestamp(c.since),
                state = case when state = 'COMPLETING' then state when c.allocation is null then 'WAITING' else 'RUNNING' end,
                attained_service = attained_service + c.service * coalesce(device_share, 1), run_seconds = run_seconds + c.run,
                restarts = job.restarts + c.restarts, first_start = coalesce(first_start, to_timestamp(c.since)),
                waiting_since = coalesce(to_timestamp(c.waits), waiting_since),
                unserved_since = coalesce(to_timestamp(c.unserved), unserved_since)
            from %s where id = c.job
            """;
    /** Statements for the changes of each kind, in order. */
    private static final Map<String, List<String>> STATEMENTS = Map.of(
            STARTS,
            rows(STARTS, ALLOCATE, """
                    update job_allocation h set ended_at = to_timestamp(:now) from %s where h.job_id = c.job and h.ended_at is null
                    """, """
                    insert into job_allocation (plan_revision, change, message, allocation, started_at, job_id, generation)
                    select :revision, c.change, c.message, c.allocation, to_timestamp(:now), c.job, c.generation from %s
                    """),
            RESCALES,
            rows(RESCALES, ALLOCATE, """
                    insert into job_allocation (job_id, generation, part, plan_revision, change, message, allocation, key, started_at, ended_at,
                        first_progress_at)
                    select h.job_id, h.generation, (select 1 + max(part) from job_allocation p
                            where p.job_id = h.job_id and p.generation = h.generation),
                        h.plan_revision, h.change, h.message, h.allocation, null, h.started_at, to_timestamp(:now), h.first_progress_at
                    from job_allocation h, %s where h.job_id = c.job and h.generation = c.generation and h.part = 0
                    """, """
                    update job_allocation h set plan_revision = :revision, change = c.change, message = c.message,
                        allocation = c.allocation, started_at = to_timestamp(:now), first_progress_at = null
                    from %s where h.job_id = c.job and h.generation = c.generation and h.part = 0
                    """),
            ADJUSTMENTS,
            rows(
                    ADJUSTMENTS,
                    "update job set allocation = c.allocation, version = version + 1 from %s where id = c.job",
                    """
                    update job_allocation h set allocation = c.allocation
                    from %s where h.job_id = c.job and h.generation = c.generation and h.part = 0
                    """));

    private static final String SET_STATUS = """
            update job set deadline_status = d.value, version = version + 1
            from jsonb_each_text(cast(:deadlines as jsonb)) d where id = d.key and deadline is not null
            """;
    private static final String ADD_EVENTS = """
            insert into job_event (job_id, kind, detail)
            select e.job, e.kind, e.detail from jsonb_to_recordset(cast(:events as jsonb)) as e (job text, kind text, detail jsonb)
            """;
    private static final String WAIT =
            "update job set state = 'WAITING', version = version + 1 where id = any(:waiting) and state = 'SUBMITTED'";

    private final NamedParameterJdbcOperations statements;
    private final AssignmentStore assignments;
    private final RankChangeStore rankChanges;
    private final DependencyStore dependencies;
    private final RoundTrigger trigger;

    PublicationWriter(
            NamedParameterJdbcOperations statements,
            AssignmentStore assignments,
            RankChangeStore rankChanges,
            DependencyStore dependencies,
            RoundTrigger trigger) {
        this.dependencies = dependencies;
        this.trigger = trigger;
        this.statements = statements;
        this.assignments = assignments;
        this.rankChanges = rankChanges;
    }

    /**
     * Change of the allocation of a job.
     *
     * @param generation number of the new allocation
     */
    record JobChange(JobDecision decision, long generation) {
        private String job() {
            return decision.jobId();
        }

        private String kind() {
            return decision.mechanism().keepsProcesses()
                    ? ADJUSTMENTS
                    : decision.mechanism() == ChangeMechanism.RESCALE ? RESCALES : STARTS;
        }
    }

    /** Change of one kind in the statements of that kind. */
    private record ChangeRow(
            String job,
            long generation,
            @Nullable Allocation allocation,
            @Nullable Double since,
            double service,
            double run,
            int restarts,
            @Nullable Double waits,
            @Nullable Double unserved,
            String change,
            @Nullable String message) {
        /**
         * @param job the job in the snapshot; null if it has ended or is new since then
         * @param message reason of the change; null if the plan has none
         */
        static ChangeRow of(JobChange change, @Nullable Job job, double now, @Nullable String message) {
            JobDecision decision = change.decision();
            Allocation before = decision.before();
            Allocation after = decision.after();
            double held = before == null ? 0 : Math.max(0, now - before.since());
            int slots = before == null ? 0 : before.configuration().slots();
            boolean restarts = after != null && job != null && job.isRestart(decision.mechanism());
            return new ChangeRow(
                    change.job(),
                    change.generation(),
                    after,
                    after == null ? null : after.since(),
                    slots * held,
                    held,
                    restarts ? 1 : 0,
                    after == null && before != null ? now : null,
                    job == null ? null : job.unservedSinceAfter(now),
                    decision.change().name(),
                    message);
        }
    }

    /** Event of a job. */
    private record JobEventRow(String job, JobEventKind kind, JobEventDetail detail) {}

    private static List<String> rows(String kind, String... statements) {
        String rows = """
                jsonb_to_recordset(cast(:%s as jsonb)) as c (job text, generation bigint, allocation jsonb, since float8,
                    service float8, run float8, restarts integer, waits float8,
                    unserved float8, change text, message text)
                """.formatted(kind);
        return Stream.of(statements).map(each -> each.formatted(rows)).toList();
    }

    /**
     * Writes the changes of allocations and their events, the deadline statuses, the plan and the round, and offers the
     * assignments.
     *
     * @param document the plan
     * @param jobs the active jobs
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void write(
            StateSnapshot snapshot,
            PlanDocument document,
            List<JobChange> changes,
            Map<String, PublicationJob> jobs,
            StoredPlan plan) {
        StatementBatch batch =
                new StatementBatch(statements).with("now", snapshot.problem().now());
        PlanStore.insert(batch, plan);
        batch.add(RoundStore.PUBLISHED);
        addAllocations(batch, snapshot, changes, document.messages());
        Map<String, DeadlineStatus> statuses = new HashMap<>(document.deadlineStatuses());
        jobs.forEach((id, job) -> statuses.remove(id, job.deadlineStatus()));
        if (!statuses.isEmpty()) {
            batch.add(SET_STATUS).with("deadlines", json(statuses));
        }
        List<JobEventRow> events = events(changes, statuses, document.revision());
        if (!events.isEmpty()) {
            batch.add(ADD_EVENTS).with("events", json(events));
        }
        Set<String> changed = changes.stream().map(JobChange::job).collect(Collectors.toSet());
        batch.add(WAIT)
                .with(
                        "waiting",
                        document.allWaiting()
                                .map(PendingJob::jobId)
                                .filter(id -> !changed.contains(id))
                                .toArray(String[]::new))
                .execute();
        meetDependencies(changes);
        rankChanges.order(rankOrders(changes));
        assignments.offer(offers(changes));
    }

    /** Meets the dependencies on the start of jobs, and requests a round for the jobs that wait for nothing else. */
    private void meetDependencies(List<JobChange> changes) {
        List<String> started = changes.stream()
                .filter(change -> change.decision().change() == ChangeKind.START)
                .map(JobChange::job)
                .toList();
        if (!started.isEmpty()
                && dependencies.meet(started, dependencies.lockArrays(started), DependencyCondition.STARTED) > 0) {
            trigger.requestRound("job started");
        }
    }

    private static void addAllocations(
            StatementBatch batch, StateSnapshot snapshot, List<JobChange> changes, Map<String, String> messages) {
        Map<String, Job> jobs =
                snapshot.problem().jobs().stream().collect(Collectors.toMap(Job::id, Function.identity()));
        Map<String, List<ChangeRow>> rows = changes.stream()
                .collect(Collectors.groupingBy(
                        JobChange::kind,
                        Collectors.mapping(
                                change -> ChangeRow.of(
                                        change,
                                        jobs.get(change.job()),
                                        snapshot.problem().now(),
                                        messages.get(change.job())),
                                Collectors.toList())));
        rows.forEach((kind, ofKind) -> {
            batch.with(kind, json(ofKind));
            Objects.requireNonNull(STATEMENTS.get(kind)).forEach(batch::add);
        });
    }

    private static List<RankChangeStore.RankOrder> rankOrders(List<JobChange> changes) {
        return changes.stream()
                .filter(change -> change.kind().equals(RESCALES))
                .map(change -> new RankChangeStore.RankOrder(
                        change.job(),
                        change.generation(),
                        Objects.requireNonNull(change.decision().before()),
                        Objects.requireNonNull(change.decision().after())))
                .toList();
    }

    private static List<AssignmentStore.Offer> offers(List<JobChange> changes) {
        List<AssignmentStore.Offer> offers = new ArrayList<>();
        for (JobChange change : changes) {
            Allocation after = change.decision().after();
            if (after != null && change.kind().equals(STARTS)) {
                boolean warmsUp = change.decision().mechanism() == ChangeMechanism.MIGRATE;
                offers.add(new AssignmentStore.Offer(change.job(), change.generation(), after, warmsUp));
            }
        }
        return offers;
    }

    private static List<JobEventRow> events(
            List<JobChange> changes, Map<String, DeadlineStatus> statuses, long revision) {
        List<JobEventRow> events = new ArrayList<>();
        changes.forEach(change -> events.add(event(change, revision)));
        statuses.forEach((id, status) ->
                events.add(new JobEventRow(id, JobEventKind.DEADLINE, new JobEventDetail.Guarantee(status, revision))));
        return events;
    }

    private static JobEventRow event(JobChange change, long revision) {
        JobDecision decision = change.decision();
        JobEventKind kind = switch (decision.change()) {
            case KEEP, RECONFIGURE -> JobEventKind.RECONFIGURED;
            case START -> JobEventKind.STARTED;
            case GROW, SHRINK -> JobEventKind.RESIZED;
            case MOVE -> JobEventKind.MOVED;
            case PREEMPT -> JobEventKind.PREEMPTED;
        };
        Allocation after = decision.after();
        Allocation before = decision.before();
        PlannedChange detail = after == null
                ? PlannedChange.ofPreemption(revision, change.generation())
                : PlannedChange.of(
                        revision,
                        change.generation(),
                        before == null ? null : before.configuration(),
                        after.configuration(),
                        decision.change().name().toLowerCase(Locale.ROOT),
                        decision.mechanism());
        return new JobEventRow(change.job(), kind, detail);
    }

    private static String json(Object value) {
        return RoundJson.mapper().writeValueAsString(value);
    }
}
