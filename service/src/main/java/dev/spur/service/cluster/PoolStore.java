package dev.spur.service.cluster;

import dev.spur.model.cluster.Pool;
import dev.spur.service.resource.NamedResourceTable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Pools. */
@Repository
public class PoolStore extends NamedResourceTable<Pool> {
    public PoolStore(JdbcClient jdbc) {
        super(jdbc, Pool.class, "pool", "name", "name, whole_nodes");
    }
}
