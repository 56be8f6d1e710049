package dev.spur.service.cluster;

import dev.spur.model.cluster.Node;
import dev.spur.service.resource.NamedResourceTable;
import dev.spur.service.security.AccessScope;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Nodes. */
@Repository
public class NodeStore extends NamedResourceTable<Node> {
    private static final String COLUMNS =
            "id, pool, rack, accelerator_type, devices, cpus, memory_gib, aggregation_slots, price_per_slot_hour, state";

    public NodeStore(JdbcClient jdbc) {
        super(jdbc, Node.class, "node", "id", COLUMNS);
    }

    @Override
    protected String within(AccessScope reach, List<Object> parameters) {
        if (reach.node() == null) {
            return "";
        }
        parameters.add(reach.node());
        return " and id = ?";
    }

    @Override
    public boolean insert(Node node) {
        return statement(node, "insert into node (" + COLUMNS + """
                        ) values (:id, :pool, :rack, :type, :devices, :cpus, :memory, :aggregation, :price, :state)
                        on conflict do nothing
                        """).update() == 1;
    }

    @Override
    public void replace(Node node) {
        statement(node, """
                        update node set pool = :pool, rack = :rack, accelerator_type = :type, devices = :devices,
                            cpus = :cpus, memory_gib = :memory, aggregation_slots = :aggregation,
                            price_per_slot_hour = :price, state = :state, version = version + 1, updated_at = now()
                        where id = :id
                        """).update();
    }

    private JdbcClient.StatementSpec statement(Node node, String sql) {
        return jdbc.sql(sql)
                .param("id", node.id())
                .param("pool", node.pool())
                .param("rack", node.rack())
                .param("type", node.acceleratorType())
                .param("devices", node.devices().toArray(String[]::new))
                .param("cpus", node.cpus())
                .param("memory", node.memoryGiB())
                .param("aggregation", node.aggregationSlots())
                .param("price", node.pricePerSlotHour())
                .param("state", node.state().name());
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
                        where state in ('RUNNING', 'COMPLETING', 'WAITING', 'SUBMITTED')
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
