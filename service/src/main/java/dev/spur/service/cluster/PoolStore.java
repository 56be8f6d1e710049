package dev.spur.service.cluster;

import dev.spur.model.cluster.Pool;
import dev.spur.service.database.NamedResourceTable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Pools. */
@Repository
public class PoolStore extends NamedResourceTable<Pool> {
    private static final String COLUMNS = "name, whole_nodes, max_run_seconds";
    /** Selects every pool, by name. */
    public static final String ALL = "select " + COLUMNS + " from pool order by name";

    public PoolStore(JdbcClient jdbc) {
        super(jdbc, Pool.class, "pool", "name", COLUMNS);
    }
}
