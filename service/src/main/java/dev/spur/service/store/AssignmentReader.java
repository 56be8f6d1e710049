package dev.spur.service.store;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.HostDemand;
import dev.spur.model.json.RoundJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Reads everything that executors are to be told, as of one moment. */
@Component
public class AssignmentReader {
    private final JdbcClient jdbc;
    private final GangStore gangs;
    private final ExecutorStore executors;
    private final AggregatorStore aggregators;
    private final PreparationStore preparations;
    private final TransactionTemplate transaction;

    AssignmentReader(
            JdbcClient jdbc,
            GangStore gangs,
            ExecutorStore executors,
            AggregatorStore aggregators,
            PreparationStore preparations,
            PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.gangs = gangs;
        this.executors = executors;
        this.aggregators = aggregators;
        this.preparations = preparations;
        this.transaction = new TransactionTemplate(transactions);
        transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        transaction.setReadOnly(true);
    }

    /**
     * An assignment with what its executor needs to know.
     *
     * @param assignment the assignment
     * @param allocation the allocation that it is a part of; null if it is not known
     * @param command what to start, or what was started, as JSON; null if it is not known
     * @param host what each slot of the job needs of its node; null if it is not known
     * @param key by which training code of the generation is known; null if it has none
     * @param gangReady true if every member of the gang has accepted, and the database was not restored just now
     * @param blockers what is in its way
     */
    public record Told(
            StoredAssignment assignment,
            @Nullable Allocation allocation,
            @Nullable String command,
            @Nullable HostDemand host,
            @Nullable String key,
            boolean gangReady,
            List<GangStore.Blocker> blockers) {
        public Told {
            blockers = List.copyOf(blockers);
        }
    }

    /**
     * What executors are to be told.
     *
     * @param planRevision revision of the current plan; 0 before the first
     * @param byNode assignments that have not ended, by node
     * @param addresses of the nodes that have executors, by node
     * @param aggregators all that are to run
     * @param preparations all that hold something
     */
    public record News(
            long planRevision,
            Map<String, List<Told>> byNode,
            Map<String, String> addresses,
            List<StoredAggregator> aggregators,
            List<StoredPreparation> preparations) {
        public News {
            byNode = Map.copyOf(byNode);
            aggregators = List.copyOf(aggregators);
            addresses = Map.copyOf(addresses);
            preparations = List.copyOf(preparations);
        }
    }

    /** What the executors of {@code nodes} are to be told. */
    public News read(Collection<String> nodes) {
        return transaction.execute(status -> inOneTransaction(nodes));
    }

    private News inOneTransaction(Collection<String> nodes) {
        Map<AssignmentKey, List<GangStore.Blocker>> blockers = new HashMap<>();
        gangs.blockersOn(nodes)
                .forEach(blocker -> blockers.computeIfAbsent(blocker.of(), key -> new ArrayList<>())
                        .add(blocker));
        Map<String, List<Told>> byNode = new HashMap<>();
        Set<String> mentioned = new HashSet<>();
        for (Told told : rows(nodes, blockers)) {
            byNode.computeIfAbsent(told.assignment().key().node(), node -> new ArrayList<>())
                    .add(told);
            Allocation allocation = told.allocation();
            if (allocation != null) {
                allocation.placement().forEach(piece -> mentioned.add(piece.node()));
            }
        }
        List<StoredAggregator> current = aggregators.all();
        current.forEach(stored -> mentioned.add(stored.node()));
        List<StoredPreparation> granted = preparations.granted();
        granted.forEach(preparation -> mentioned.addAll(preparation.lenders()));
        long revision = jdbc.sql("select coalesce(max(revision), 0) from plan")
                .query(Long.class)
                .single();
        return new News(revision, byNode, executors.addresses(mentioned), current, granted);
    }

    private List<Told> rows(Collection<String> nodes, Map<AssignmentKey, List<GangStore.Blocker>> blockers) {
        return jdbc.sql(AssignmentStore.SELECT + """
                        , h.allocation::text as allocation, coalesce(h.command, j.command)::text as command,
                        h.key::text as key,
                        (j.spec -> 'host')::text as host,
                        not exists (select from assignment m where m.job_id = a.job_id and m.generation = a.generation
                            and m.state not in ('ACCEPTED', 'STARTING', 'RUNNING')) and not %s as gang_ready
                        """.formatted(Restorations.QUIET) + AssignmentStore.FROM
                        + """
                         left join job_allocation h on h.job_id = a.job_id and h.generation = a.generation
                        where %s and a.state in
                        """.formatted(AssignmentStore.on(nodes))
                        + AssignmentStore.LIVE
                        + " order by a.job_id, a.generation")
                .param("nodes", AssignmentStore.names(nodes))
                .query((row, index) -> {
                    StoredAssignment assignment = AssignmentStore.read(row);
                    String allocation = row.getString("allocation");
                    String host = row.getString("host");
                    return new Told(
                            assignment,
                            allocation == null ? null : RoundJson.mapper().readValue(allocation, Allocation.class),
                            row.getString("command"),
                            host == null ? null : RoundJson.mapper().readValue(host, HostDemand.class),
                            row.getString("key"),
                            row.getBoolean("gang_ready"),
                            blockers.getOrDefault(assignment.key(), List.of()));
                })
                .list();
    }

    /** True if every member of the gang of an assignment has accepted. */
    public boolean gangReady(AssignmentKey key) {
        return jdbc.sql("""
                        select not exists (select from assignment where job_id = ? and generation = ?
                            and state not in ('ACCEPTED', 'STARTING', 'RUNNING'))
                        """)
                .params(key.jobId(), key.generation())
                .query(Boolean.class)
                .single();
    }
}
