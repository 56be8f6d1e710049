package dev.spur.service.store;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.json.RoundJson;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;

/** All of the cluster and the tenants, for a snapshot. */
final class ClusterRows {
    private static final TypeReference<Map<String, Quota>> QUOTAS = new TypeReference<>() {};

    private final JdbcClient jdbc;

    ClusterRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<AcceleratorType> acceleratorTypes() {
        return jdbc.sql("select name, memory_gib from accelerator_type order by name")
                .query((row, index) -> new AcceleratorType(row.getString("name"), row.getDouble("memory_gib")))
                .list();
    }

    List<Pool> pools() {
        return jdbc.sql("select name, whole_nodes from pool order by name")
                .query((row, index) -> new Pool(row.getString("name"), row.getBoolean("whole_nodes")))
                .list();
    }

    List<Node> nodes() {
        return jdbc.sql("select * from node order by seq")
                .query((row, index) -> node(row))
                .list();
    }

    private static Node node(ResultSet row) throws SQLException {
        return new Node(
                row.getString("id"),
                row.getString("pool"),
                row.getString("rack"),
                row.getString("accelerator_type"),
                Rows.strings(row, "devices"),
                row.getDouble("cpus"),
                row.getDouble("memory_gib"),
                row.getDouble("aggregation_slots"),
                row.getDouble("price_per_slot_hour"),
                NodeState.valueOf(row.getString("state")));
    }

    List<Reservation> reservations() {
        return jdbc.sql("select name, nodes, tenant, starts_at, ends_at from reservation order by name")
                .query((row, index) -> new Reservation(
                        row.getString("name"),
                        Rows.strings(row, "nodes"),
                        row.getString("tenant"),
                        Rows.secondsOf(row, "starts_at"),
                        Rows.secondsOf(row, "ends_at")))
                .list();
    }

    List<Tenant> tenants() {
        return jdbc.sql("select name, parent, weight, quotas::text as quotas from tenant order by name")
                .query((row, index) -> new Tenant(
                        row.getString("name"),
                        row.getString("parent"),
                        row.getDouble("weight"),
                        RoundJson.mapper().readValue(row.getString("quotas"), QUOTAS)))
                .list();
    }
}
