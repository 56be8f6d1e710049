package dev.spur.service.cluster;

import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.security.AccessScope;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Memory of nodes: granted memory, and use beyond it. */
@Repository
public class NodeMemoryStore {
    /** Selects the last report of every node. */
    public static final String ALL = "select node, used_gib, risk, lending_refusal from node_memory order by node";

    /** Selects the exports of every node that has any, as {@link NodeExports}. */
    public static final String EXPORTS = "select node, exports from node_memory where exports <> '[]'";

    private final JdbcClient jdbc;

    public NodeMemoryStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the last report of a node; empty if there is none. */
    public Optional<MemoryUse> find(String node) {
        return jdbc.sql("select node, used_gib, risk, lending_refusal from node_memory where node = ?")
                .param(node)
                .query(RecordMapper.of(MemoryUse.class))
                .optional();
    }

    /** Loans of a node that borrowers can reach. */
    public record NodeExports(String node, List<MemoryExport> exports) {
        public NodeExports {
            exports = List.copyOf(exports);
        }
    }

    /**
     * A loan that its borrower can reach. The key is for the agents of both nodes alone.
     *
     * @param port TCP port of the lender
     * @param key pre-shared key, hexadecimal
     */
    public record MemoryExport(String preparationId, long generation, int port, String key) {
        @Override
        public String toString() {
            return "export for preparation %s, port %d".formatted(preparationId, port);
        }
    }

    /** Memory of a node by use, in GiB. Members as in the contract. */
    public record Share(
            String node,
            double memoryGiB,
            double trainingGiB,
            double preparationsGiB,
            double lentGiB,
            double borrowedGiB,
            double usedGiB,
            double risk) {}

    /**
     * Returns the memory of the first {@code limit} nodes within the scope whose id comes after {@code after}, by id.
     */
    public List<Share> shares(AccessScope reach, String after, int limit) {
        return jdbc.sql("""
                        with training as (
                            select piece.node, sum(piece.slots
                                * coalesce(cast(spec #>> '{host,memoryGiBPerSlot}' as double precision), 0)) as gib
                            from job, placement(allocation) piece
                            where state in ('RUNNING', 'COMPLETING') group by 1),
                        prepared as (
                            select resource_grant, resource_grant ->> 'node' as node,
                                cast(resource_grant ->> 'localGiB' as double precision) as gib
                            from job where kind = 'DATA_PREPARATION' and state = 'RUNNING'),
                        loan as (
                            select node as borrower, one ->> 'lender' as lender, cast(one ->> 'gib' as double precision) as gib
                            from prepared, jsonb_array_elements(resource_grant -> 'loans') one),
                        here as (select node, sum(gib) as gib from prepared group by 1),
                        lent as (select lender as node, sum(gib) as gib from loan group by 1),
                        borrowed as (select borrower as node, sum(gib) as gib from loan group by 1)
                        select id as node, memory_gib, coalesce(training.gib, 0) as training_gib, coalesce(here.gib, 0) as preparations_gib,
                            coalesce(lent.gib, 0) as lent_gib, coalesce(borrowed.gib, 0) as borrowed_gib,
                            coalesce(used_gib, 0) as used_gib, coalesce(risk, 0) as risk
                        from node left join training on training.node = id left join here on here.node = id
                            left join lent on lent.node = id left join borrowed on borrowed.node = id
                            left join node_memory on node_memory.node = id
                        where id > ? and id = coalesce(cast(? as text), id) order by id limit ?
                        """)
                .param(after)
                .param(reach.node())
                .param(limit)
                .query(RecordMapper.of(Share.class))
                .list();
    }

    /** Stores a report. Returns false if the node does not exist. */
    public boolean put(MemoryUse use, List<MemoryExport> exports) {
        return jdbc.sql("""
                        insert into node_memory (node, used_gib, risk, lending_refusal, exports)
                            select id, ?, ?, ?, cast(? as jsonb) from node where id = ? for key share
                        on conflict (node) do update set used_gib = excluded.used_gib, risk = excluded.risk,
                            lending_refusal = excluded.lending_refusal, exports = excluded.exports, reported_at = now()
                        """)
                        .param(use.usedGiB())
                        .param(use.risk())
                        .param(use.lendingRefusal())
                        .param(RoundJson.mapper().writeValueAsString(exports))
                        .param(use.node())
                        .update()
                == 1;
    }
}
