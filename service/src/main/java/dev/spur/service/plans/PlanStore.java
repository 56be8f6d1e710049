package dev.spur.service.plans;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.Rows;
import dev.spur.service.database.StatementBatch;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** Published plans. */
@Repository
public class PlanStore {
    private static final String COLUMNS =
            "revision, round_number, lease_term, published_at, node_revisions::text as nodes, summary::text as summary, body";
    /** Selects the current plan; no row before the first plan. */
    public static final String CURRENT = "select " + COLUMNS + " from plan order by revision desc limit 1";
    /** Selects a revision above every revision that was ever issued, and the time of the transaction. */
    public static final String NEXT = """
            select greatest(coalesce(max(revision), 0), %s) + 1 as revision, date_trunc('milliseconds', now()) as published_at,
                date_trunc('milliseconds', now()) as explained_at from plan
            """.formatted(RestoreConditions.FLOOR);

    private static final TypeReference<Map<String, Long>> NODE_REVISIONS = new TypeReference<>() {};

    private final JdbcClient jdbc;

    PlanStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Revision of a plan.
     *
     * @param publishedAt time of the publication, which differs even if a restored database issues the same revision
     *     again
     * @param explainedAt time of the round whose explanations the plan has
     */
    public record Current(long revision, Instant publishedAt, Instant explainedAt) {}

    /** Returns the current revision with its time; empty before the first plan. */
    public Optional<Current> newest() {
        return jdbc.sql("select revision, published_at, explained_at from plan order by revision desc limit 1")
                .query(PlanStore::readRevision)
                .optional();
    }

    /** Returns the revision of the current plan; empty before the first plan. */
    public OptionalLong currentRevision() {
        return jdbc.sql("select revision from plan order by revision desc limit 1")
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Returns the current plan. */
    public Optional<StoredPlan> current() {
        return jdbc.sql(CURRENT).query(PlanStore::read).optional();
    }

    /** Returns the plan of a revision; empty if it was deleted. */
    public Optional<StoredPlan> find(long revision) {
        return jdbc.sql("select " + COLUMNS + " from plan where revision = ?")
                .param(revision)
                .query(PlanStore::read)
                .optional();
    }

    /** Returns the plan that was current before {@code revision}; empty if it was deleted. */
    public Optional<StoredPlan> before(long revision) {
        return jdbc.sql("select " + COLUMNS + " from plan where revision < ? order by revision desc limit 1")
                .param(revision)
                .query(PlanStore::read)
                .optional();
    }

    /** Returns the summaries of at most {@code limit} plans before {@code revision}, the newest first. */
    public List<String> summaries(long revision, int limit) {
        return jdbc.sql("select summary::text from plan where revision < ? order by revision desc limit ?")
                .params(revision, limit)
                .query(String.class)
                .list();
    }

    /** Returns true if the node is registered. */
    public boolean hasNode(String id) {
        return jdbc.sql("select exists (select 1 from node where id = ?)")
                .param(id)
                .query(Boolean.class)
                .single();
    }

    /** Adds a plan to statements of a transaction, and notifies every replica when the transaction commits. */
    public static void insert(StatementBatch batch, StoredPlan plan) {
        batch.with("revision", plan.revision())
                .with("round", plan.round())
                .with("leaseTerm", plan.leaseTerm())
                .with("nodeRevisions", RoundJson.mapper().writeValueAsString(plan.nodeRevisions()))
                .with("summary", plan.summary())
                .with("body", plan.body())
                .add("""
                        insert into plan (revision, round_number, lease_term, published_at, node_revisions, summary, body)
                        values (:revision, :round, :leaseTerm, now(), cast(:nodeRevisions as jsonb), cast(:summary as jsonb), :body)
                        """)
                .query(
                        "select pg_notify('" + NotificationChannel.PLAN + "', cast(:revision as text))",
                        (row, index) -> true);
    }

    /** Replaces the explanations of a plan, and notifies every replica when the transaction commits. */
    public void explain(PlanDocument plan) {
        jdbc.sql("update plan set body = :body, explained_at = :at where revision = :revision")
                .param("body", plan.json())
                .param("at", plan.explainedAt().atOffset(ZoneOffset.UTC))
                .param("revision", plan.revision())
                .update();
        jdbc.sql("select pg_notify(:channel, cast(:revision as text))")
                .param("channel", NotificationChannel.PLAN)
                .param("revision", plan.revision())
                .query(row -> {});
    }

    /**
     * Deletes all but the newest {@code count} plans. The current plan is never deleted, since the next revision
     * derives from it.
     */
    public void prune(int count) {
        jdbc.sql(
                        "delete from plan where revision <= (select revision from plan order by revision desc offset ? limit 1)")
                .param(Math.max(1, count))
                .update();
    }

    /** Reads a row of {@link #CURRENT}. */
    public static StoredPlan read(ResultSet row, int index) throws SQLException {
        return new StoredPlan(
                row.getLong("revision"),
                row.getLong("round_number"),
                row.getLong("lease_term"),
                time(row, "published_at"),
                RoundJson.mapper().readValue(row.getString("nodes"), NODE_REVISIONS),
                row.getString("summary"),
                row.getString("body"));
    }

    /** Reads a row of {@link #NEXT}. */
    public static Current readRevision(ResultSet row, int index) throws SQLException {
        return new Current(row.getLong("revision"), time(row, "published_at"), time(row, "explained_at"));
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(Rows.instant(row, column)).truncatedTo(ChronoUnit.MILLIS);
    }
}
