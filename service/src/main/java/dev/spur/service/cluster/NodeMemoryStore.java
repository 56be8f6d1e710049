package dev.spur.service.cluster;

import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Memory of nodes in use beyond the grants of jobs, and reachable loans. */
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
