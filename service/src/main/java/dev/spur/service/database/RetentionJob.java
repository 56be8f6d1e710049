package dev.spur.service.database;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Deletes rows whose retention has expired, once an hour. It runs on every replica, concurrently with the same job on
 * other replicas.
 */
@Component
class RetentionJob {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionJob.class);
    private static final String OF_ENDED_JOBS = "%s using job where id = job_id and ended_at";

    private final JdbcClient jdbc;
    private final List<Rule> rules;

    RetentionJob(JdbcClient jdbc, RetentionProperties properties) {
        this.jdbc = jdbc;
        this.rules = List.of(
                new Rule("audit entries", properties.audit(), "audit_entry where at"),
                new Rule(
                        "maintenance windows",
                        properties.audit(),
                        "maintenance_window where recurrence_rule is null and ends_at"),
                new Rule("tokens", properties.tokens(), "access_token where least(revoked_at, expires_at)"),
                new Rule("idempotency keys", properties.idempotencyKeys(), "idempotency_key where created_at"),
                new Rule(
                        "assignments",
                        properties.assignments(),
                        "assignment where state in ('STOPPED', 'FAILED', 'LOST') and changed_at"),
                new Rule("measured speeds", properties.measurements(), OF_ENDED_JOBS.formatted("job_learning")),
                new Rule("speeds over time", properties.measurements(), OF_ENDED_JOBS.formatted("job_speed")),
                new Rule("measured stalls", properties.measurements(), OF_ENDED_JOBS.formatted("job_stall")),
                new Rule("measured losses", properties.measurements(), OF_ENDED_JOBS.formatted("job_loss")),
                new Rule("profiling runs", properties.measurements(), OF_ENDED_JOBS.formatted("job_profiling")),
                new Rule(
                        "measured aggregation loads",
                        properties.measurements(),
                        OF_ENDED_JOBS.formatted("job_aggregation")),
                new Rule(
                        "remedies of aggregation",
                        properties.measurements(),
                        OF_ENDED_JOBS.formatted("aggregation_remedy")),
                new Rule("logs", properties.logs(), OF_ENDED_JOBS.formatted("job_log")),
                new Rule("groups of ended arrays", properties.measurements(), """
                        job_group g using job_array a
                        where a.group_name = g.name and not exists (select from job where active_group = g.name)
                          and a.submitted_at"""),
                new Rule("connector actions", properties.connectorActions(), """
                        connector_action a where state <> 'OPEN'
                          and exists (select from connector_action later
                                      where later.connector = a.connector and later.job = a.job and later.seq > a.seq)
                          and changed_at"""),
                new Rule("capacities", properties.capacities(), """
                        slot_capacity c
                        where exists (select from slot_capacity later
                                      where later.accelerator_type = c.accelerator_type and later.at > c.at)
                          and at"""),
                new Rule("samples of GPU use", properties.capacities(), "gpu_usage where at"),
                new Rule("webhook deliveries", properties.webhookDeliveries(), "webhook_delivery where ended_at"));
    }

    /** Applies each rule once. A rule that fails does not keep the others from being applied. */
    @Scheduled(fixedDelay = 1, initialDelay = 1, timeUnit = TimeUnit.HOURS)
    void deleteExpired() {
        for (Rule rule : rules) {
            try {
                jdbc.sql("delete from " + rule.expired() + " < now() - make_interval(secs => ?)")
                        .param(rule.age().toSeconds())
                        .update();
            } catch (DataAccessException failure) {
                LOG.warn("cannot delete expired {}, next attempt in one hour: {}", rule.what(), failure.getMessage());
            }
        }
    }

    /**
     * Retention of one kind of row.
     *
     * @param what plural name for the log
     * @param age retention
     * @param expired table and condition, which ends with the time at which the retention begins
     */
    private record Rule(String what, Duration age, String expired) {}

    /**
     * Retention of rows that no longer change, by kind of row.
     *
     * @param audit audit entries and ended maintenance windows
     * @param tokens revoked and expired tokens
     * @param idempotencyKeys keys of submissions; the API guarantees one day
     * @param assignments ended assignments
     * @param measurements measurements of ended jobs; their families keep the learned speeds
     * @param logs output of ended jobs
     * @param connectorActions ended connector actions, except the last action of each job
     * @param capacities history of the number of slots, except the last row of each type, and of the use of GPUs
     * @param webhookDeliveries ended deliveries of webhooks
     */
    @ConfigurationProperties("spur.retention")
    record RetentionProperties(
            @DefaultValue("365d") Duration audit,
            @DefaultValue("90d") Duration tokens,
            @DefaultValue("48h") Duration idempotencyKeys,
            @DefaultValue("24h") Duration assignments,
            @DefaultValue("7d") Duration measurements,
            @DefaultValue("7d") Duration logs,
            @DefaultValue("30d") Duration connectorActions,
            @DefaultValue("366d") Duration capacities,
            @DefaultValue("7d") Duration webhookDeliveries) {}
}
