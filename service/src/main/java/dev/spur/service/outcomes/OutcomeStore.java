package dev.spur.service.outcomes;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.jobs.AllocationChangeStore;
import dev.spur.service.outcomes.OutcomeReport.DeadlineCounts;
import dev.spur.service.outcomes.OutcomeReport.JobCounts;
import dev.spur.service.outcomes.OutcomeReport.Spread;
import dev.spur.service.outcomes.OutcomeReport.TenantOutcome;
import dev.spur.service.security.AccessScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Outcomes of training jobs over a time range, by tenant and in total. */
@Repository
class OutcomeStore {
    private static final String RANGE = """
            with bounds as (select cast(? as timestamptz) as since, cast(? as timestamptz) as until),
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
                    attained_service,
                    case when state = 'DONE' and ended_at >= since and ended_at < until
                        then (spec ->> 'revenue')::double precision end as revenue
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
                    as efficiency_of_all, coalesce(sum(revenue), 0) as revenue,
            """ + String.join(", ", spread("delay"), spread("jct"), spread("slowdown"), spread("efficiency"))
                    + " from ratios group by grouping sets ((tenant), ())";
    private static final String SERVICE = RANGE + """
            prices as materialized (select by_node, cpu_hour from resource_price),
            generations as (
                select j.tenant, greatest(a.started_at, since) as began, least(coalesce(a.ended_at, until), until) as ended,
                    a.started_at, slots, price,
                    case when j.report_generation > 0 and a.change <> 'KEEP'
                        then least(a.first_progress_at, coalesce(a.ended_at, until)) else a.started_at end as useful_from,
                    a.started_at >= since and a.change <> 'KEEP' and\s""" + AllocationChangeStore.RESTARTED + """
                     as is_restart,
                    j.report_generation > 0 and (a.first_progress_at < until or a.ended_at < until) as is_stall_known
                from bounds, job_allocation a join job j on j.id = a.job_id, lateral (
                    select slots_held(a.allocation, j.device_share) as slots, price_per_hour(a.allocation, j.spec, (select by_node from prices),
                        (select cpu_hour from prices)) as price) as totals
                where a.allocation is not null and a.started_at < until and (a.ended_at is null or a.ended_at > since) %s),
            hours as (
                select tenant, is_restart, slots, price, extract(epoch from ended - began)::double precision / 3600 as hours,
                    greatest(0, extract(epoch from ended - greatest(began, useful_from))::double precision) / 3600 as useful_hours,
                    case when is_restart and is_stall_known
                        then extract(epoch from useful_from - started_at)::double precision end as stall
                from generations)
            select tenant, grouping(tenant) as is_total, coalesce(sum(slots * hours), 0) as held, coalesce(sum(slots * useful_hours), 0) as useful,
                coalesce(sum(price * hours), 0) as cost, count(*) filter (where is_restart) as restarts,
            """ + spread("stall")
            + " from hours group by grouping sets ((tenant), ())";
    private static final String DEADLINES = RANGE + """
            due as (
                select j.tenant, state = 'DONE' and ended_at <= deadline as is_met from bounds, job j
                where deadline >= since and deadline < until and kind = 'TRAINING'
                    and not (state = 'CANCELLED' and ended_at <= deadline) %s)
            select tenant, grouping(tenant) as is_total, count(*) filter (where is_met) as met,
                count(*) filter (where not is_met) as missed
            from due group by grouping sets ((tenant), ())
            """;
    /** Key of the total. No tenant has an empty name. */
    private static final String TOTAL = "";

    private final JdbcClient jdbc;

    OutcomeStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Selects a {@link Spread} of a column. */
    private static String spread(String column) {
        String percentile = "percentile_cont(%s) within group (order by " + column + ")";
        return "jsonb_build_object('count', count(%1$s), 'mean', avg(%1$s), 'p50', %2$s, 'p90', %3$s, 'p99', %4$s) as %1$s"
                .formatted(column, percentile.formatted(0.5), percentile.formatted(0.9), percentile.formatted(0.99));
    }

    private record Service(long restarts, Spread stall, double held, double useful, double cost) {
        static final Service NONE = new Service(0, Spread.NONE, 0, 0, 0);
    }

    private record JobOutcomes(
            @Nullable String tenant,
            JobCounts jobs,
            Spread delay,
            Spread jct,
            Spread slowdown,
            @Nullable Double efficiencyOfAll,
            Spread efficiency,
            double revenue) {
        TenantOutcome with(Service service, DeadlineCounts deadlines) {
            return new TenantOutcome(
                    tenant,
                    jobs,
                    delay,
                    jct,
                    slowdown,
                    efficiencyOfAll,
                    efficiency,
                    service.restarts(),
                    service.stall(),
                    service.held(),
                    service.useful(),
                    service.cost(),
                    revenue,
                    revenue - service.cost(),
                    deadlines);
        }
    }

    /** Returns the total, then the outcomes of each tenant, by name. */
    List<TenantOutcome> between(AccessScope reach, TimeRange range) {
        Map<String, Service> services = read(SERVICE, reach, range, Service.class);
        Map<String, DeadlineCounts> deadlines = read(DEADLINES, reach, range, DeadlineCounts.class);
        return read(JOBS, reach, range, JobOutcomes.class).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(jobs -> jobs.getValue()
                        .with(
                                services.getOrDefault(jobs.getKey(), Service.NONE),
                                deadlines.getOrDefault(jobs.getKey(), new DeadlineCounts(0, 0))))
                .toList();
    }

    private <R extends Record> Map<String, R> read(String sql, AccessScope reach, TimeRange range, Class<R> type) {
        List<Object> parameters = new ArrayList<>(range.parameters());
        String within = ScopeCondition.jobs(reach, "j", parameters);
        RecordMapper<R> mapper = RecordMapper.of(type);
        Map<String, R> byTenant = new HashMap<>();
        jdbc.sql(sql.formatted(within)).params(parameters).query(row -> {
            String key = row.getInt("is_total") == 1 ? TOTAL : row.getString("tenant");
            byTenant.put(key, mapper.mapRow(row, byTenant.size()));
        });
        return byTenant;
    }
}
