package dev.spur.service.cluster;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.service.database.RecordMapper;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Devices that were unhealthy recently. A device is quarantined at the first unhealthy report. The quarantine ends when
 * the device has been healthy for a while, twice as long after each further failure. Times run on the clock of the
 * database.
 */
@Repository
public class DeviceHealthStore {
    /** Condition for quarantined devices, which rounds exclude, in a query with the table alias {@code h}. */
    public static final String QUARANTINED = "(h.quarantined_until is null or h.quarantined_until > clock_timestamp())";

    /** Array of the devices of a {@code node} that are not quarantined, in their order. */
    public static final String USABLE = """
            case when not exists (select from device_health h where h.node = node.id) then node.devices
                else array(select d.id from unnest(node.devices) with ordinality d (id, position) where not exists (
                    select from device_health h where h.node = node.id and h.device = d.id and %s) order by d.position) end
            """.formatted(QUARANTINED);

    /** Selects whether a device of {@code :node} was unhealthy recently. */
    public static final String HAS_FAILURES =
            "select exists (select from device_health where node = :node) as has_failures";

    private final JdbcClient jdbc;

    public DeviceHealthStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Device that rounds exclude. Members as in the contract. */
    public record QuarantinedDevice(
            @JsonIgnore String node,
            @JsonProperty("uuid") String device,
            boolean healthy,
            int failures,
            Instant since,
            @Nullable Instant until) {}

    /** Records unhealthy devices of a node. Returns how many were not quarantined before. */
    public int unhealthy(String node, Collection<String> devices) {
        return devices.isEmpty()
                ? 0
                : jdbc.sql("""
                        with before as (
                            select device from device_health h where node = :node and %s),
                        written as (
                            insert into device_health (node, device, healthy, failures)
                            select n.id, d, false, 1 from node n, unnest(:devices) d where n.id = :node and d = any(n.devices)
                            for key share of n
                            on conflict (node, device) do update set healthy = false, quarantined_until = null,
                                failures = device_health.failures + 1, changed_at = clock_timestamp()
                                where device_health.healthy
                            returning device)
                        select count(*) from written where device not in (select device from before)
                        """.formatted(QUARANTINED))
                        .param("node", node)
                        .param("devices", devices.toArray(String[]::new))
                        .query(Integer.class)
                        .single();
    }

    /**
     * Records healthy devices of a node. The failures of a device are reset {@code longestSeconds} after its quarantine
     * has ended.
     *
     * @param seconds time that a device must be healthy after its first failure, doubled with each further failure
     * @param longestSeconds upper limit of that time
     */
    public void healthy(String node, Collection<String> devices, double seconds, double longestSeconds) {
        jdbc.sql("""
                        update device_health set healthy = true, changed_at = clock_timestamp(), quarantined_until = clock_timestamp()
                            + make_interval(secs => least(:longest, :seconds * power(2, least(failures - 1, 30))))
                        where node = :node and device = any(:devices) and not healthy;
                        delete from device_health where node = :node and quarantined_until < clock_timestamp() - make_interval(secs => :longest)
                        """)
                .param("node", node)
                .param("devices", devices.toArray(String[]::new))
                .param("seconds", seconds)
                .param("longest", longestSeconds)
                .update();
    }

    /** Returns the quarantined devices by node and device, of one node, or of all nodes if {@code node} is null. */
    public List<QuarantinedDevice> quarantinedDevices(@Nullable String node) {
        return jdbc.sql("""
                        select node, device, healthy, failures, changed_at as since, quarantined_until as until from device_health h
                        where %s and node = coalesce(cast(? as text), node) order by node, device
                        """.formatted(QUARANTINED))
                .param(node)
                .query(RecordMapper.of(QuarantinedDevice.class))
                .list();
    }

    /** Returns the number of quarantined devices. */
    public long count() {
        return jdbc.sql("select count(*) from device_health h where " + QUARANTINED)
                .query(Long.class)
                .single();
    }
}
