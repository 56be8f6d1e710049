package dev.spur.service.cluster;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Usage of jobs, summed over a period. */
@Repository
class UsageStore {
    private final JdbcClient jdbc;

    UsageStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Usage under one key. Members as in the contract. */
    public record Usage(
            @Nullable String key,
            String acceleratorType,
            double slotHours,
            double aggregationSlotHours,
            double cost,
            long jobs,
            long allocations) {}

    /**
     * Grouping key of usage.
     *
     * @param label name of the label; null unless the column contains labels
     */
    public record Key(String column, @Nullable String label) {
        /** Groups by tenant, each without its descendants. */
        public static final Key TENANT = new Key("j.tenant", null);
        /** Groups by owner. */
        public static final Key OWNER = new Key("j.owner", null);

        /** Groups by the value of a label. */
        public static Key ofLabel(String name) {
            return new Key("j.labels ->> ?", name);
        }
    }

    /**
     * Returns the usage from {@code from} to {@code to}, by key and type. Current allocations count until now.
     *
     * @param from before {@code to}
     */
    public List<Usage> between(AccessScope reach, Instant from, Instant to, Key key) {
        List<Object> parameters = new ArrayList<>();
        if (key.label() != null) {
            parameters.add(key.label());
        }
        parameters.addAll(List.of(to.atOffset(ZoneOffset.UTC), from.atOffset(ZoneOffset.UTC)));
        parameters.addAll(List.of(to.atOffset(ZoneOffset.UTC), from.atOffset(ZoneOffset.UTC)));
        String within = ScopeCondition.jobs(reach, "j", parameters);
        return jdbc.sql("""
                        with prices as materialized (select by_node, cpu_hour from resource_price),
                        held as (
                            select %s as key, a.job_id, a.allocation, a.allocation -> 'configuration' as shape, j.spec, j.device_share,
                                extract(epoch from least(coalesce(a.ended_at, now()), ?) - greatest(a.started_at, ?)) / 3600
                                    as hours
                            from job_allocation a join job j on j.id = a.job_id
                            where a.allocation is not null and a.started_at < least(now(), ?)
                                and (a.ended_at is null or a.ended_at > ?)
                            %s)
                        select key, shape ->> 'acceleratorType' as accelerator_type, sum(hours * slots) as slot_hours,
                            sum(hours * (shape ->> 'aggregationSlots')::double precision) as aggregation_slot_hours,
                            sum(hours * price) as cost, count(distinct job_id) as jobs, count(*) as allocations
                        from held, lateral (
                            select slots_held(allocation, device_share) as slots, price_per_hour(allocation, spec, (select by_node from prices),
                                (select cpu_hour from prices)) as price) as totals
                        where hours > 0
                        group by key, accelerator_type order by key nulls last, accelerator_type
                        """.formatted(key.column(), within))
                .params(parameters)
                .query(RecordMapper.of(Usage.class))
                .list();
    }
}
