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

    @Override
    public boolean insert(Pool pool) {
        return jdbc.sql("insert into pool (name, whole_nodes) values (?, ?) on conflict do nothing")
                        .params(pool.name(), pool.wholeNodes())
                        .update()
                == 1;
    }

    @Override
    public void replace(Pool pool) {
        jdbc.sql("update pool set whole_nodes = ?, version = version + 1 where name = ?")
                .params(pool.wholeNodes(), pool.name())
                .update();
    }
}
