package dev.spur.service.outcome;

import dev.spur.service.database.ScopeCondition;
import dev.spur.service.outcome.OutcomeReport.DeadlineCounts;
import dev.spur.service.outcome.OutcomeReport.JobCounts;
import dev.spur.service.outcome.OutcomeReport.Spread;
import dev.spur.service.outcome.OutcomeReport.TenantOutcome;
import dev.spur.service.security.AccessScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Outcomes of training jobs over a time range, by tenant and in total. */
@Repository
class OutcomeStore {
    private static final String RANGE = """
            with bounds as (select cast(? as timestamptz) as since, cast(? as timestamptz) as until),
            """;
    private static final String PERCENTILES = """
            count(%1$s) as %1$s_count, avg(%1$s) as %1$s_mean,
            percentile_cont(array[0.5, 0.9, 0.99]) within group (order by %1$s) as %1$s_percentiles
            """;
    private static final String JOBS =
            RANGE + """
            jobs as (
                select j.tenant,
                    submitted_at >= since as submitted,
                    first_start >= since and first_start < until as started,
                    case when ended_at >= since and ended_at < until then state end as ended,
                    case when first_start >= since and first_start < until
                        then extract(epoch from first_start - submitted_at)::double precision end as delay,
                    case when state = 'DONE' and ended_at >= since and ended_at < until
                        then extract(epoch from ended_at - submitted_at)::double precision end as jct,
                    done_work / o.max_goodput as fastest_seconds,
                    case when ended_at >= since and ended_at < until and attained_service > 0
                        then done_work / o.max_slot_goodput end as least_slot_seconds,
                    attained_service
                from bounds, job j left join job_outcome o on o.job_id = j.id
                where kind = 'TRAINING' and submitted_at < until and (ended_at is null or ended_at >= since
                    or deadline >= since and deadline < until) %s),
            ratios as (
                select *, jct / nullif(fastest_seconds, 0) as slowdown, least_slot_seconds / attained_service as efficiency
                from jobs)
            select tenant, grouping(tenant) as is_total, count(*) filter (where submitted) as submitted,
                count(*) filter (where started) as started, count(*) filter (where ended = 'DONE') as done,
                count(*) filter (where ended = 'FAILED') as failed, count(*) filter (where ended = 'CANCELLED') as canceled,
                sum(least_slot_seconds) / nullif(sum(attained_service) filter (where least_slot_seconds is not null), 0)
                    as efficiency_of_all,
            """ + String.join(", ", spread("delay"), spread("jct"), spread("slowdown"), spread("efficiency"))
                    + " from ratios group by grouping sets ((tenant), ())";
    private static final String SERVICE =
            RANGE + """
            prices as (select jsonb_object_agg(id, price_per_slot_hour) as by_node from node),
            generations as (
                select j.tenant, greatest(a.started_at, since) as began, least(coalesce(a.ended_at, until), until) as ended,
                    a.started_at, slots, price,
                    case when j.report_generation > 0 and a.change <> 'KEEP'
                        then least(a.first_progress_at, coalesce(a.ended_at, until)) else a.started_at end as useful_from,
                    a.started_at >= since and a.change <> 'KEEP' and exists (select from job_allocation earlier
                        where earlier.job_id = a.job_id and earlier.generation < a.generation
                            and earlier.allocation is not null) as is_restart,
                    j.report_generation > 0 and (a.first_progress_at < until or a.ended_at < until) as is_stall_known
                from bounds, job_allocation a join job j on j.id = a.job_id, lateral (
                    select sum(jsonb_array_length(piece -> 'devices')) as slots,
                        sum(jsonb_array_length(piece -> 'devices') * coalesce(
                            ((select by_node from prices) ->> (piece ->> 'node'))::double precision, 0)) as price
                    from jsonb_array_elements(a.allocation -> 'placement') piece) as pieces
                where a.allocation is not null and a.started_at < until and (a.ended_at is null or a.ended_at > since) %s),
            hours as (
                select tenant, is_restart, slots, price, extract(epoch from ended - began)::double precision / 3600 as hours,
                    greatest(0, extract(epoch from ended - greatest(began, useful_from))::double precision) / 3600 as useful_hours,
                    case when is_restart and is_stall_known
                        then extract(epoch from useful_from - started_at)::double precision end as stall
                from generations)
            select tenant, grouping(tenant) as is_total, coalesce(sum(slots * hours), 0) as held, coalesce(sum(slots * useful_hours), 0) as useful,
                coalesce(sum(price * hours), 0) as cost, count(*) filter (where is_restart) as restarts,
            """ + spread("stall") + " from hours group by grouping sets ((tenant), ())";
    private static final String DEADLINES = RANGE + """
            due as (
                select j.tenant, state = 'DONE' and ended_at <= deadline as is_met from bounds, job j
                where deadline >= since and deadline < until and kind = 'TRAINING'
                    and not (state = 'CANCELLED' and ended_at <= deadline) %s)
            select tenant, grouping(tenant) as is_total, count(*) filter (where is_met) as met_count,
                count(*) filter (where not is_met) as missed_count
            from due group by grouping sets ((tenant), ())
            """;
    /** Key of the total. No tenant has an empty name. */
    private static final String TOTAL = "";

    private final JdbcClient jdbc;

    OutcomeStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private static String spread(String column) {
        return PERCENTILES.formatted(column);
    }

    private record Service(long restarts, Spread stall, double held, double useful, double cost) {
        static final Service NONE = new Service(0, Spread.NONE, 0, 0, 0);
    }

    /** Returns the total, then the outcomes of each tenant, by name. */
    List<TenantOutcome> between(AccessScope reach, TimeRange range) {
        Map<String, Service> services = read(
                SERVICE,
                reach,
                range,
                (row, index) -> new Service(
                        row.getLong("restarts"),
                        spread(row, "stall"),
                        row.getDouble("held"),
                        row.getDouble("useful"),
                        row.getDouble("cost")));
        Map<String, DeadlineCounts> deadlines = read(
                DEADLINES,
                reach,
                range,
                (row, index) -> new DeadlineCounts(row.getLong("met_count"), row.getLong("missed_count")));
        Map<String, TenantOutcome> jobs = read(JOBS, reach, range, (row, index) -> {
            String tenant = key(row);
            return outcome(
                    row,
                    services.getOrDefault(tenant, Service.NONE),
                    deadlines.getOrDefault(tenant, new DeadlineCounts(0, 0)));
        });
        return jobs.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .map(Map.Entry::getValue)
                .toList();
    }

    private <T> Map<String, T> read(String sql, AccessScope reach, TimeRange range, RowMapper<T> mapper) {
        List<Object> parameters = new ArrayList<>(
                List.of(range.since().atOffset(ZoneOffset.UTC), range.until().atOffset(ZoneOffset.UTC)));
        String within = ScopeCondition.jobs(reach, "j", parameters);
        Map<String, T> byTenant = new HashMap<>();
        jdbc.sql(sql.formatted(within)).params(parameters).query(row -> {
            byTenant.put(key(row), mapper.mapRow(row, 0));
        });
        return byTenant;
    }

    private static String key(ResultSet row) throws SQLException {
        return row.getInt("is_total") == 1 ? TOTAL : row.getString("tenant");
    }

    private static TenantOutcome outcome(ResultSet row, Service service, DeadlineCounts deadlines) throws SQLException {
        return new TenantOutcome(
                row.getString("tenant"),
                new JobCounts(
                        row.getLong("submitted"),
                        row.getLong("started"),
                        row.getLong("done"),
                        row.getLong("failed"),
                        row.getLong("canceled")),
                spread(row, "delay"),
                spread(row, "jct"),
                spread(row, "slowdown"),
                row.getObject("efficiency_of_all", Double.class),
                spread(row, "efficiency"),
                service.restarts(),
                service.stall(),
                service.held(),
                service.useful(),
                service.cost(),
                deadlines);
    }

    private static Spread spread(ResultSet row, String column) throws SQLException {
        long count = row.getLong(column + "_count");
        if (count == 0) {
            return Spread.NONE;
        }
        @Nullable
        Double[] percentiles = (Double[]) row.getArray(column + "_percentiles").getArray();
        return new Spread(
                count, row.getObject(column + "_mean", Double.class), percentiles[0], percentiles[1], percentiles[2]);
    }
}
