package dev.spur.service.store;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.ChangeKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** What happened to jobs. */
@Repository
public class JobHistory {
    private static final TypeReference<Map<String, Object>> DETAIL = new TypeReference<>() {};

    private final JdbcClient jdbc;

    JobHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Something that happened.
     *
     * @param id its number, ascending in time
     * @param at when
     * @param kind what
     * @param detail facts about it
     */
    public record Event(long id, Instant at, String kind, Map<String, Object> detail) {}

    /** The first {@code limit} events of a job after number {@code after}. */
    public List<Event> events(String job, long after, int limit) {
        return jdbc.sql("""
                        select id, at, kind, detail::text as detail from job_event where job_id = ? and id > ?
                        order by id limit ?
                        """)
                .params(job, after, limit)
                .query((row, index) -> new Event(
                        row.getLong("id"),
                        Objects.requireNonNull(Rows.instant(row, "at")),
                        row.getString("kind"),
                        RoundJson.mapper().readValue(row.getString("detail"), DETAIL)))
                .list();
    }

    /**
     * An allocation that a job had or has.
     *
     * @param generation its number
     * @param planRevision the plan that gave it
     * @param change how it differs from the one before
     * @param allocation null if it was taken away
     * @param startedAt from when on
     * @param endedAt until when; null if it still holds
     */
    public record Held(
            long generation,
            long planRevision,
            ChangeKind change,
            @Nullable Allocation allocation,
            Instant startedAt,
            @Nullable Instant endedAt) {}

    /** The last {@code limit} allocations of a job before generation {@code before}, the newest first. */
    public List<Held> allocations(String job, long before, int limit) {
        return jdbc.sql("""
                        select generation, plan_revision, change, allocation::text as allocation, started_at, ended_at
                        from job_allocation where job_id = ? and generation < ? order by generation desc limit ?
                        """)
                .params(job, before, limit)
                .query((row, index) -> {
                    String allocation = row.getString("allocation");
                    return new Held(
                            row.getLong("generation"),
                            row.getLong("plan_revision"),
                            ChangeKind.valueOf(row.getString("change")),
                            allocation == null ? null : RoundJson.mapper().readValue(allocation, Allocation.class),
                            Objects.requireNonNull(Rows.instant(row, "started_at")),
                            Rows.instant(row, "ended_at"));
                })
                .list();
    }
}
