package dev.spur.service.rounds;

import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.cluster.MaintenanceStore;
import dev.spur.service.cluster.NodesInMaintenance;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.database.StatementBatch.Query;
import dev.spur.service.jobs.PreparationStore;
import dev.spur.service.jobs.RankChangeStore;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.jobs.learning.AggregatorStore;
import dev.spur.service.jobs.learning.StoredAggregator;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StoredPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Reads the state that a plan is published into, and locks the lease and the rows that the plan changes. */
@Repository
class CurrentStateReader {
    private static final String LOCK_JOBS =
            "select seq from job where id = any(:changing) and kind = 'TRAINING' and is_active(state) order by seq for no key update";
    private static final String JOBS = """
            select id, state, greatest(generation, %s) + 1 as next_generation,
                   (held or coalesce(retry_at > now() or allocation is null and not_before > now(), false) or unmet_dependencies <> '{}') and state <> 'COMPLETING' as held_back, generation, spec_version,
                   allocation is not null as holds, deadline_status, %s as rescales
            from job where kind = 'TRAINING' and is_active(state)
            """.formatted(RestoreConditions.FLOOR, RankChangeStore.RESCALES);
    private static final String LOCK_NODES = "select id, pool, accelerator_type, state, " + DeviceHealthStore.USABLE
            + " as devices from node where id = any(:nodes) order by seq for share";

    private final NamedParameterJdbcOperations statements;

    CurrentStateReader(NamedParameterJdbcOperations statements) {
        this.statements = statements;
    }

    /**
     * Job data that publication checks.
     *
     * @param state SUBMITTED, WAITING, RUNNING or COMPLETING; other states are not active
     * @param heldBack true if rounds must not start the job
     * @param generation number of its allocation
     * @param nextGeneration number of its next allocation
     * @param specVersion number of its specification
     * @param holds true if it has an allocation
     * @param rescales true if its ranks run and do not change
     */
    record PublicationJob(
            String id,
            String state,
            boolean heldBack,
            long generation,
            long nextGeneration,
            long specVersion,
            boolean holds,
            DeadlineStatus deadlineStatus,
            boolean rescales) {}

    /**
     * Node data that publication checks.
     *
     * @param acceleratorType type of its devices; null if it has none
     * @param devices devices that are not quarantined
     */
    record PublicationNode(
            String id, String pool, @Nullable String acceleratorType, NodeState state, Set<String> devices) {
        PublicationNode {
            devices = Set.copyOf(devices);
        }
    }

    /**
     * State that a plan is published into, newer than the snapshot of the plan.
     *
     * @param leased true if the planner holds the lease, which is locked
     * @param jobs all active jobs by id; jobs whose allocation changes are locked
     * @param nodes nodes that the plan uses, locked
     * @param maintained ids of nodes that are in maintenance
     * @param plan the current plan; empty before the first
     * @param next revision of the next plan, with the time of the transaction by the clock of the database
     * @param preparations active preparations, locked; empty if the plan has none
     */
    record CurrentState(
            boolean leased,
            Map<String, PublicationJob> jobs,
            Map<String, PublicationNode> nodes,
            Set<String> maintained,
            Optional<StoredPlan> plan,
            PlanStore.Current next,
            List<StoredAggregator> aggregators,
            List<StoredPreparation> preparations) {}

    /**
     * Returns the state as of the transaction of the publication. Proposals are superseded if plans no longer require
     * approval.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public CurrentState lock(Lease lease, StateSnapshot snapshot, RoundPlan plan, List<JobDecision> decisions) {
        StatementBatch batch = new StatementBatch(statements)
                .with("changing", changing(decisions))
                .with("nodes", nodes(plan, decisions));
        var leased = LeaseStore.addLock(batch, lease);
        if (!snapshot.settings().approval()) {
            batch.add(ProposalStore.SUPERSEDE_ALL + " and " + LeaseStore.HELD);
        }
        batch.query(LOCK_JOBS, (row, index) -> true);
        var jobs = batch.query(JOBS, RecordMapper.of(PublicationJob.class));
        Query<StoredPreparation> preparations = plan.preparations() == null
                ? null
                : batch.query(PreparationStore.LOCK_ACTIVE, RecordMapper.of(StoredPreparation.class));
        var nodes = batch.query(LOCK_NODES, RecordMapper.of(PublicationNode.class));
        var maintenance = batch.query(MaintenanceStore.AHEAD, RecordMapper.of(NodesInMaintenance.class));
        var current = batch.query(PlanStore.CURRENT, PlanStore::read);
        var next = batch.query(PlanStore.NEXT, PlanStore::readRevision);
        var aggregators = batch.query(AggregatorStore.ALL, RecordMapper.of(StoredAggregator.class));
        batch.execute();
        PlanStore.Current revision = next.first().orElseThrow();
        return new CurrentState(
                leased.first().isPresent(),
                byId(jobs, PublicationJob::id),
                byId(nodes, PublicationNode::id),
                NodesInMaintenance.at(maintenance.rows(), revision.publishedAt()),
                current.first(),
                revision,
                aggregators.rows(),
                preparations == null ? List.of() : preparations.rows());
    }

    private static String[] changing(List<JobDecision> decisions) {
        return decisions.stream()
                .filter(decision -> !decision.keeps())
                .map(JobDecision::jobId)
                .toArray(String[]::new);
    }

    private static String[] nodes(RoundPlan plan, List<JobDecision> decisions) {
        Set<String> nodes = new HashSet<>();
        decisions.forEach(decision -> nodes.addAll(decision.nodesAfter()));
        if (plan.preparations() != null) {
            plan.preparations().running().forEach(entry -> {
                nodes.add(entry.grant().node());
                entry.grant().loans().forEach(loan -> nodes.add(loan.lender()));
            });
        }
        return nodes.toArray(String[]::new);
    }

    private static <T> Map<String, T> byId(Query<T> rows, Function<T, String> id) {
        return rows.rows().stream().collect(Collectors.toMap(id, Function.identity()));
    }
}
