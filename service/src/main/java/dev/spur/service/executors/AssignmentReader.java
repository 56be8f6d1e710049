package dev.spur.service.executors;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Roles;
import dev.spur.service.cluster.NodeMemoryStore;
import dev.spur.service.cluster.NodeMemoryStore.MemoryExport;
import dev.spur.service.cluster.NodeMemoryStore.NodeExports;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.JobLogStore;
import dev.spur.service.jobs.PreparationStore;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.jobs.learning.AggregatorStore;
import dev.spur.service.jobs.learning.StoredAggregator;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Reads the desired state of all executors as of one moment. */
@Repository
class AssignmentReader {
    private static final String REVISION = "select coalesce(max(revision), 0) as revision from plan";

    private final NamedParameterJdbcOperations jdbc;
    private final ExecutorStore executors;

    AssignmentReader(NamedParameterJdbcOperations jdbc, ExecutorStore executors) {
        this.jdbc = jdbc;
        this.executors = executors;
    }

    /**
     * Assignment with the data that its executor needs.
     *
     * @param tenant tenant of the job; null if the job is unknown
     * @param allocation allocation that contains the assignment; null if it is unknown
     * @param command command to start, or that was started, as JSON; null if it is unknown
     * @param host host resources that each slot of the job is granted; null if they are unknown
     * @param roles roles of the job; null if it has none
     * @param trainingKey key of the training code of this generation; null if it has none
     * @param othersReady true if all other members of the gang have accepted and no recovery from a restore is in
     *     progress
     * @param followed true if a caller follows its log
     */
    public record DesiredAssignment(
            StoredAssignment assignment,
            @Nullable String tenant,
            @Nullable Allocation allocation,
            @Nullable String command,
            @Nullable HostDemand host,
            @Nullable Roles roles,
            @Nullable String trainingKey,
            boolean othersReady,
            boolean followed) {}

    /**
     * Desired state of executors.
     *
     * @param planRevision revision of the current plan; 0 before the first plan
     * @param byNode assignments that have not ended, by node
     * @param blockers assignments that block the start of others, by these
     * @param addresses addresses of the nodes that have executors, by node
     * @param exports loans that borrowers can reach, by lender
     */
    public record DesiredStateSnapshot(
            long planRevision,
            Map<String, List<DesiredAssignment>> byNode,
            Map<AssignmentKey, List<GangStore.Blocker>> blockers,
            Map<String, String> addresses,
            List<StoredAggregator> aggregators,
            List<StoredPreparation> preparations,
            Map<String, List<MemoryExport>> exports) {
        public DesiredStateSnapshot {
            exports = Map.copyOf(exports);
            byNode = Map.copyOf(byNode);
            blockers = Map.copyOf(blockers);
            aggregators = List.copyOf(aggregators);
            addresses = Map.copyOf(addresses);
            preparations = List.copyOf(preparations);
        }
    }

    /** Returns the desired state of the executors of {@code nodes}. */
    @Transactional(readOnly = true)
    public DesiredStateSnapshot read(Collection<String> nodes) {
        StatementBatch batch = new StatementBatch(jdbc)
                .with("nodes", AssignmentStore.names(nodes))
                .add(StatementBatch.AS_OF_ONE_MOMENT);
        var desired = batch.query(desiredAssignments(nodes), RecordMapper.of(DesiredAssignment.class));
        var blockers = batch.query(GangStore.blockersOn(nodes), RecordMapper.of(GangStore.Blocker.class));
        var current = batch.query(AggregatorStore.ALL, RecordMapper.of(StoredAggregator.class));
        var granted = batch.query(PreparationStore.GRANTED, RecordMapper.of(StoredPreparation.class));
        var exports = batch.query(NodeMemoryStore.EXPORTS, RecordMapper.of(NodeExports.class));
        var revision = batch.query(REVISION, (row, index) -> row.getLong("revision"));
        batch.execute();
        Set<String> mentioned = new HashSet<>();
        desired.rows().forEach(each -> mentioned.addAll(nodesOf(each)));
        current.rows().forEach(stored -> mentioned.add(stored.node()));
        granted.rows().forEach(preparation -> mentioned.addAll(preparation.lenders()));
        return new DesiredStateSnapshot(
                revision.first().orElseThrow(),
                desired.rows().stream()
                        .collect(Collectors.groupingBy(
                                each -> each.assignment().key().node())),
                blockers.rows().stream().collect(Collectors.groupingBy(GangStore.Blocker::of)),
                mentioned.isEmpty() ? Map.of() : executors.addresses(mentioned),
                current.rows(),
                granted.rows(),
                exports.rows().stream().collect(Collectors.toMap(NodeExports::node, NodeExports::exports)));
    }

    private static List<String> nodesOf(DesiredAssignment desired) {
        Allocation allocation = desired.allocation();
        return allocation == null
                ? List.of()
                : allocation.placement().stream().map(NodeShare::node).toList();
    }

    private static String desiredAssignments(Collection<String> nodes) {
        return AssignmentStore.SELECT
                + """
                , j.tenant, h.allocation, coalesce(h.command, j.command)::text as command,
                h.key::text as training_key, coalesce(h.allocation #> '{configuration,host}', j.spec -> 'host') as host,
                j.spec -> 'roles' as roles,
                not exists (select from assignment m where m.job_id = a.job_id and m.generation = a.generation
                    and m.node <> a.node and m.state not in ('ACCEPTED', 'STARTING', 'RUNNING') and %s) and not %s as others_ready,
                %s as followed
                """.formatted(AssignmentStore.MEMBER, RestoreConditions.QUIET, JobLogStore.FOLLOWED)
                + AssignmentStore.FROM
                + """
                 left join job_allocation h on h.job_id = a.job_id and h.generation = a.generation and h.part = 0
                where %s and is_live(a.state)
                """.formatted(AssignmentStore.on(nodes))
                + " order by a.job_id, a.generation";
    }
}
