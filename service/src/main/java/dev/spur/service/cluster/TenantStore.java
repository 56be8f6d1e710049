package dev.spur.service.cluster;

import dev.spur.model.tenant.Tenant;
import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.database.Versioned;
import dev.spur.service.security.AccessScope;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Tree of tenants. */
@Repository
public class TenantStore extends NamedResourceTable<Tenant> {
    private static final String COLUMNS = "name, parent, weight, quotas, max_run_seconds";
    /** Selects every tenant, by name. */
    public static final String ALL = "select " + COLUMNS + " from tenant order by name";
    /** Arbitrary key of the advisory lock that serializes changes of the tree structure. */
    private static final int TREE_LOCK = 7_406_001;

    public TenantStore(JdbcClient jdbc) {
        super(jdbc, Tenant.class, "tenant", "name", COLUMNS);
    }

    @Override
    protected String within(AccessScope reach, List<Object> parameters) {
        return ScopeCondition.tenants(reach, "name", parameters);
    }

    /** Returns every tenant, by name. */
    public List<Tenant> all() {
        return all("name");
    }

    /**
     * Returns the tenant and locks the whole tree until the transaction ends. With locks of single tenants, two
     * concurrent moves below each other could form a cycle or a deadlock.
     */
    @Override
    public Optional<Versioned<Tenant>> lock(String name) {
        jdbc.sql("select pg_advisory_xact_lock(?)").param(TREE_LOCK).query(row -> {});
        return super.lock(name);
    }

    /** Returns the tenant and its ancestors, from the bottom up. */
    public List<Tenant> pathToTop(String name) {
        return jdbc.sql("""
                        with recursive path as (
                            select tenant.*, 0 as depth from tenant where name = ?
                            union all
                            select tenant.*, depth + 1 from tenant join path on tenant.name = path.parent)
                        select %s from path order by depth
                        """.formatted(COLUMNS))
                .param(name)
                .query(RecordMapper.of(Tenant.class))
                .list();
    }

    /** Returns the names of the tenants with a quota of the accelerator type. */
    public List<String> withQuotaOf(String acceleratorType) {
        return jdbc.sql("select name from tenant where jsonb_exists(quotas, ?) order by name limit 10")
                .param(acceleratorType)
                .query(String.class)
                .list();
    }
}
