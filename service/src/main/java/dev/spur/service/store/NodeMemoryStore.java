package dev.spur.service.store;

import dev.spur.model.preparation.MemoryUse;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Memory of nodes that is in use beyond what jobs are granted there. */
@Repository
public class NodeMemoryStore {
    private final JdbcClient jdbc;

    NodeMemoryStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What was last reported of every node. */
    public List<MemoryUse> all() {
        return jdbc.sql("select node, used_gib, risk from node_memory order by node")
                .query((row, index) ->
                        new MemoryUse(row.getString("node"), row.getDouble("used_gib"), row.getDouble("risk")))
                .list();
    }

    /** What was last reported of a node; empty if nothing was. */
    public Optional<MemoryUse> find(String node) {
        return jdbc.sql("select used_gib, risk from node_memory where node = ?")
                .param(node)
                .query((row, index) -> new MemoryUse(node, row.getDouble("used_gib"), row.getDouble("risk")))
                .optional();
    }

    /** Writes a report down; false if there is no such node. */
    public boolean put(MemoryUse use) {
        return jdbc.sql("""
                        insert into node_memory (node, used_gib, risk) select id, ?, ? from node where id = ?
                        on conflict (node) do update set used_gib = excluded.used_gib, risk = excluded.risk, reported_at = now()
                        """).params(use.usedGiB(), use.risk(), use.node()).update() == 1;
    }
}
