package dev.spur.service.cluster;

import dev.spur.model.cluster.Node;
import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.security.AccessScope;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Nodes. */
@Repository
public class NodeStore extends NamedResourceTable<Node> {
    /** State of a node as rounds use it: a node whose executor starts no processes is closed to new jobs. */
    private static final String STATE_IN_ROUNDS = """
            case when state = 'ACTIVE'
                    and exists (select from executor e where e.id = node.id and e.state = 'ALIVE' and e.start_refusal is not null)
                then 'CORDONED' else state end
            """;

    /** Selects every node without its quarantined devices, in the order of registration. */
    public static final String IN_ROUNDS = "select id, pool, rack, accelerator_type, " + DeviceHealthStore.USABLE
            + " as devices, cpus, memory_gib, aggregation_slots, price_per_slot_hour, " + STATE_IN_ROUNDS
            + " as state, labels, shares_devices from node order by seq";

    public NodeStore(JdbcClient jdbc) {
        super(
                jdbc,
                Node.class,
                "node",
                "id",
                "id, pool, rack, accelerator_type, devices, cpus, memory_gib, aggregation_slots, price_per_slot_hour, state, labels, shares_devices");
    }

    @Override
    protected String within(AccessScope reach, List<Object> parameters) {
        if (reach.node() == null) {
            return "";
        }
        parameters.add(reach.node());
        return " and id = ?";
    }

    /** Returns the version of the cluster, which rises with every change of a type, pool, node, tenant or group. */
    public long clusterVersion() {
        return jdbc.sql("select version from cluster_version").query(Long.class).single();
    }

    /** Returns every node, in the order of registration. */
    public List<Node> all() {
        return all("seq");
    }

    /** Returns those of {@code ids} that exist, and prevents their deletion until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<String> existing(List<String> ids) {
        return jdbc.sql("select id from node where id = any(?) for share")
                .param(ids.toArray(String[]::new))
                .query(String.class)
                .list();
    }

    /** Returns the ids of active jobs that hold resources of the node. */
    public List<String> jobsOn(String id) {
        return jdbc.sql("""
                        select id from job
                        where is_active(state)
                          and (allocation -> 'placement' @> jsonb_build_array(jsonb_build_object('node', cast(? as text)))
                            or allocation -> 'aggregation' @> jsonb_build_array(jsonb_build_object('node', cast(? as text)))
                            or resource_grant ->> 'node' = cast(? as text)
                            or resource_grant -> 'loans' @> jsonb_build_array(jsonb_build_object('lender', cast(? as text))))
                        limit 10
                        """).params(id, id, id, id).query(String.class).list();
    }

    /** Returns the names of the reservations that contain the node. */
    public List<String> reservationsOf(String id) {
        return jdbc.sql("select name from reservation where ? = any(nodes) order by name limit 10")
                .param(id)
                .query(String.class)
                .list();
    }
}
