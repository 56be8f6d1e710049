package dev.spur.service.executor;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.model.json.RoundJson;
import dev.spur.service.aggregation.AggregatorStore;
import dev.spur.service.aggregation.StoredAggregator;
import dev.spur.service.assignment.AssignmentKey;
import dev.spur.service.assignment.AssignmentStore;
import dev.spur.service.assignment.StoredAssignment;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.job.logs.JobLogStore;
import java.sql.ResultSet;
import java.sql.SQLException;
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
     * @param assignment the assignment
     * @param allocation allocation that contains the assignment; null if it is unknown
     * @param command command to start, or that was started, as JSON; null if it is unknown
     * @param host resources of the node that each slot of the job requires; null if they are unknown
     * @param key key of the training code of this generation; null if it has none
     * @param othersReady true if all other members of the gang have accepted and no recovery from a restore is in
     *     progress
     * @param followed true if a caller follows its log
     * @param blockers assignments that block the start
     */
    public record DesiredAssignment(
            StoredAssignment assignment,
            @Nullable Allocation allocation,
            @Nullable String command,
            @Nullable HostDemand host,
            @Nullable String key,
            boolean othersReady,
            boolean followed,
            List<GangStore.Blocker> blockers) {
        public DesiredAssignment {
            blockers = List.copyOf(blockers);
        }

        private DesiredAssignment behind(List<GangStore.Blocker> others) {
            return new DesiredAssignment(assignment, allocation, command, host, key, othersReady, followed, others);
        }
    }

    /**
     * Desired state of executors.
     *
     * @param planRevision revision of the current plan; 0 before the first plan
     * @param byNode assignments that have not ended, by node
     * @param addresses addresses of the nodes that have executors, by node
     * @param aggregators all aggregators that must run
     * @param preparations all preparations that hold resources
     */
    public record DesiredStateSnapshot(
            long planRevision,
            Map<String, List<DesiredAssignment>> byNode,
            Map<String, String> addresses,
            List<StoredAggregator> aggregators,
            List<StoredPreparation> preparations) {
        public DesiredStateSnapshot {
            byNode = Map.copyOf(byNode);
            aggregators = List.copyOf(aggregators);
            addresses = Map.copyOf(addresses);
            preparations = List.copyOf(preparations);
        }
    }

    /** Returns the desired state of the executors of {@code nodes}. */
    @Transactional(readOnly = true)
    public DesiredStateSnapshot read(Collection<String> nodes) {
        return inOneTransaction(nodes);
    }

    private DesiredStateSnapshot inOneTransaction(Collection<String> nodes) {
        StatementBatch batch = new StatementBatch(jdbc)
                .with("nodes", AssignmentStore.names(nodes))
                .add(StatementBatch.AS_OF_ONE_MOMENT);
        var rows = batch.query(desiredAssignments(nodes), AssignmentReader::read);
        var blockers = batch.query(GangStore.blockersOn(nodes), GangStore::blocker);
        var current = batch.query(AggregatorStore.ALL, AggregatorStore::read);
        var granted = batch.query(PreparationStore.GRANTED, PreparationStore::read);
        var revision = batch.query(REVISION, (row, index) -> row.getLong("revision"));
        batch.execute();
        Set<String> mentioned = new HashSet<>();
        rows.rows().forEach(desired -> mentioned.addAll(nodesOf(desired)));
        current.rows().forEach(stored -> mentioned.add(stored.node()));
        granted.rows().forEach(preparation -> mentioned.addAll(preparation.lenders()));
        return new DesiredStateSnapshot(
                revision.first().orElseThrow(),
                byNode(rows.rows(), blockers.rows()),
                mentioned.isEmpty() ? Map.of() : executors.addresses(mentioned),
                current.rows(),
                granted.rows());
    }

    private static List<String> nodesOf(DesiredAssignment desired) {
        Allocation allocation = desired.allocation();
        return allocation == null
                ? List.of()
                : allocation.placement().stream().map(NodeShare::node).toList();
    }

    private static Map<String, List<DesiredAssignment>> byNode(
            List<DesiredAssignment> rows, List<GangStore.Blocker> blockers) {
        Map<AssignmentKey, List<GangStore.Blocker>> of =
                blockers.stream().collect(Collectors.groupingBy(GangStore.Blocker::of));
        return rows.stream()
                .map(desired ->
                        desired.behind(of.getOrDefault(desired.assignment().key(), List.of())))
                .collect(Collectors.groupingBy(
                        desired -> desired.assignment().key().node()));
    }

    private static String desiredAssignments(Collection<String> nodes) {
        return AssignmentStore.SELECT
                + """
                , h.allocation::text as allocation, coalesce(h.command, j.command)::text as command,
                h.key::text as key,
                (j.spec -> 'host')::text as host,
                not exists (select from assignment m where m.job_id = a.job_id and m.generation = a.generation
                    and m.node <> a.node and m.state not in ('ACCEPTED', 'STARTING', 'RUNNING') and %s) and not %s as others_ready,
                %s as followed
                """.formatted(AssignmentStore.MEMBER, RestoreConditions.QUIET, JobLogStore.FOLLOWED)
                + AssignmentStore.FROM
                + """
                 left join job_allocation h on h.job_id = a.job_id and h.generation = a.generation and h.part = 0
                where %s and a.state in
                """.formatted(AssignmentStore.on(nodes))
                + AssignmentStore.LIVE
                + " order by a.job_id, a.generation";
    }

    private static DesiredAssignment read(ResultSet row, int index) throws SQLException {
        String allocation = row.getString("allocation");
        String host = row.getString("host");
        return new DesiredAssignment(
                AssignmentStore.read(row, index),
                allocation == null ? null : RoundJson.mapper().readValue(allocation, Allocation.class),
                row.getString("command"),
                host == null ? null : RoundJson.mapper().readValue(host, HostDemand.class),
                row.getString("key"),
                row.getBoolean("others_ready"),
                row.getBoolean("followed"),
                List.of());
    }
}
