package dev.spur.service.cluster;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobGroup;
import dev.spur.model.tenant.Tenant;
import dev.spur.service.job.JobGroupStore;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Inventory that submissions are validated against: nodes, tenants and groups, with a version that rises with every
 * change.
 */
@Repository
public class ClusterInventoryStore {
    private final JdbcClient jdbc;
    private final AcceleratorTypeStore types;
    private final NodeStore nodes;
    private final TenantStore tenants;
    private final JobGroupStore groups;

    ClusterInventoryStore(
            JdbcClient jdbc, AcceleratorTypeStore types, NodeStore nodes, TenantStore tenants, JobGroupStore groups) {
        this.jdbc = jdbc;
        this.types = types;
        this.nodes = nodes;
        this.tenants = tenants;
        this.groups = groups;
    }

    /** Returns the version, which rises with every change of a type, pool, node, tenant or group. */
    public long version() {
        return jdbc.sql("select version from cluster_version").query(Long.class).single();
    }

    /** Returns every accelerator type. */
    public List<AcceleratorType> types() {
        return types.all("name");
    }

    /** Returns every node. */
    public List<Node> nodes() {
        return nodes.all();
    }

    /** Returns every tenant. */
    public List<Tenant> tenants() {
        return tenants.all();
    }

    /** Returns every group of jobs. */
    public List<JobGroup> groups() {
        return groups.all();
    }
}
