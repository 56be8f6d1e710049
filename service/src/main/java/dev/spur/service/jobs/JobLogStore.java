package dev.spur.service.jobs;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.jobs.JobLog.RankLog;
import dev.spur.service.jobs.RankOutput.OutOfMemory;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Output of jobs. Each rank keeps its last uploads, up to a size that depends on the number of ranks; a job keeps its
 * newest generations.
 */
@Repository
public class JobLogStore {
    /** Condition that a caller follows the log of the job of assignment {@code a}. */
    public static final String FOLLOWED =
            "exists (select from job_log f where f.job_id = a.job_id and f.followed_until > now())";

    /** Generations of a job whose output is stored. */
    static final int GENERATIONS = 3;

    /** Time for which executors upload new output after a request. */
    private static final int FOLLOW_SECONDS = 30;

    /** Stored characters of all ranks of a generation, unless each has the minimum. */
    private static final int CHARS_PER_GENERATION = 4 << 20;

    private static final int MIN_CHARS_PER_RANK = 4 << 10;
    private static final int MAX_CHARS_PER_RANK = 64 << 10;

    /** Time after the end of an assignment in which its executor may still upload the last output. */
    private static final String MAY_UPLOAD = """
            exists (select from assignment a where a.job_id = j.id and (holds_devices(a.state)
                or a.state in ('STOPPED', 'FAILED') and a.exit_code is not null and a.changed_at > now() - interval '10 seconds'
                    and not exists (select from job_log_rank r where r.job_id = a.job_id and r.generation = a.generation
                        and r.node = a.node and r.ended_at is not null)))
            """;

    private final JdbcClient jdbc;

    JobLogStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Selection of stored output of a job. Members as in the contract. */
    record LogQuery(
            @Nullable Long generation,
            @Nullable Integer rank,
            int lines,
            @Nullable Long after) {}

    /**
     * State of the log of a job.
     *
     * @param seq number of the last upload; 0 before the first
     * @param complete true if no further output will be uploaded
     */
    record LogState(long seq, boolean complete) {
        /** State of a job that does not exist. */
        static final LogState MISSING = new LogState(0, true);
    }

    /**
     * Stores the output of ranks of an assignment. Output with a number up to that of an earlier upload is ignored.
     *
     * @param uploadSeq number of the upload, ascending also over restarts of the executor
     * @param ranks number of ranks of the gang
     * @return false if nothing was stored
     * @throws ProblemException 409 if newer generations have replaced the output of this one
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean append(AssignmentKey key, long uploadSeq, int ranks, List<RankOutput> outputs) {
        long seq = next(key.jobId());
        requireRecent(key);
        int limit =
                Math.min(MAX_CHARS_PER_RANK, Math.max(MIN_CHARS_PER_RANK, CHARS_PER_GENERATION / Math.max(1, ranks)));
        boolean applied = false;
        for (RankOutput output : outputs) {
            if (update(key, seq, uploadSeq, output)) {
                add(key, seq, output, limit);
                applied = true;
            }
        }
        if (applied) {
            deleteOldGenerations(key.jobId());
        }
        return applied;
    }

    /** Returns whether the job has held slots in a generation. */
    boolean hasStarted(String job) {
        return jdbc.sql("select exists (select from job_allocation where job_id = ? and allocation is not null)")
                .param(job)
                .query(Boolean.class)
                .single();
    }

    /** Numbers an upload, and locks the log of the job until the transaction ends. */
    private long next(String job) {
        return jdbc.sql("""
                        insert into job_log (job_id, seq) values (?, 1)
                        on conflict (job_id) do update set seq = job_log.seq + 1 returning seq
                        """).param(job).query(Long.class).single();
    }

    private void requireRecent(AssignmentKey key) {
        Long oldest = jdbc.sql("""
                        select case when count(*) = :count then min(generation) else 0 end from (
                            select distinct generation from job_log_rank where job_id = :job order by generation desc limit :count) newest
                        """)
                .param("job", key.jobId())
                .param("count", GENERATIONS)
                .query(Long.class)
                .single();
        if (key.generation() < oldest) {
            throw ProblemException.of(
                    ProblemType.STALE_GENERATION,
                    "The logs of generation %d were replaced by those of newer generations; the oldest stored one is %d."
                            .formatted(key.generation(), oldest));
        }
    }

    private boolean update(AssignmentKey key, long seq, long uploadSeq, RankOutput output) {
        return jdbc.sql("""
                        insert into job_log_rank as r (job_id, generation, rank, node, seq, upload_seq, path, exit_code, stopped,
                            out_of_memory, ended_at)
                        values (:job, :generation, :rank, :node, :seq, :uploadSeq, :path, :exit_code,
                            coalesce(cast(:stopped as boolean), false), :out_of_memory,
                            now() - make_interval(secs => cast(:seconds_ago as double precision)))
                        on conflict (job_id, generation, rank) do update set
                            node = excluded.node, seq = excluded.seq, upload_seq = excluded.upload_seq,
                            path = coalesce(excluded.path, r.path), exit_code = coalesce(excluded.exit_code, r.exit_code),
                            stopped = r.stopped or excluded.stopped,
                            out_of_memory = coalesce(excluded.out_of_memory, r.out_of_memory),
                            ended_at = coalesce(r.ended_at, excluded.ended_at)
                        where r.upload_seq < excluded.upload_seq
                        """)
                        .params(RecordMapper.parameters(
                                output,
                                List.of("rank", "path", "exit_code", "stopped", "out_of_memory", "seconds_ago")))
                        .param("job", key.jobId())
                        .param("generation", key.generation())
                        .param("node", key.node())
                        .param("seq", seq)
                        .param("uploadSeq", uploadSeq)
                        .update()
                > 0;
    }

    private void add(AssignmentKey key, long seq, RankOutput output, int limit) {
        if (output.restart()) {
            jdbc.sql("delete from job_log_chunk where job_id = ? and generation = ? and rank = ?")
                    .params(key.jobId(), key.generation(), output.rank())
                    .update();
        }
        if (output.text().isEmpty()) {
            return;
        }
        jdbc.sql("insert into job_log_chunk (job_id, seq, generation, rank, text) values (?, ?, ?, ?, ?)")
                .params(key.jobId(), seq, key.generation(), output.rank(), last(output.text(), limit))
                .update();
        jdbc.sql("""
                        delete from job_log_chunk c using (
                            select seq, sum(length(text)) over (order by seq desc) - length(text) as newer from job_log_chunk
                            where job_id = :job and generation = :generation and rank = :rank) chunks
                        where c.job_id = :job and c.generation = :generation and c.rank = :rank and c.seq = chunks.seq
                            and chunks.newer >= :limit
                        """)
                .param("job", key.jobId())
                .param("generation", key.generation())
                .param("rank", output.rank())
                .param("limit", limit)
                .update();
    }

    /** Returns the last {@code limit} characters, without an incomplete first line if there are several. */
    private static String last(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int from = text.length() - limit;
        int line = text.indexOf('\n', from - 1);
        boolean hasLine = line >= 0 && line < text.length() - 1;
        int begin = hasLine ? line + 1 : from;
        return text.substring(Character.isLowSurrogate(text.charAt(begin)) ? begin + 1 : begin);
    }

    private void deleteOldGenerations(String job) {
        for (String table : List.of("job_log_chunk", "job_log_rank")) {
            jdbc.sql("""
                            delete from %s where job_id = :job and generation < (select min(generation) from (
                                select distinct generation from job_log_rank where job_id = :job order by generation desc limit :count) newest)
                            """.formatted(table))
                    .param("job", job)
                    .param("count", GENERATIONS)
                    .update();
        }
    }

    /**
     * Requests that the executors of a job upload new output for a while.
     *
     * @return true if they did not do so before
     */
    @Transactional
    boolean follow(String job) {
        boolean runs = jdbc.sql("""
                        select exists (select from assignment where job_id = ? and holds_devices(state))
                        """).param(job).query(Boolean.class).single();
        if (!runs) {
            return false;
        }
        List<Boolean> started = jdbc.sql("""
                        insert into job_log as l (job_id, followed_until) values (:job, now() + make_interval(secs => :seconds))
                        on conflict (job_id) do update set followed_until = excluded.followed_until
                        where l.followed_until is null or l.followed_until < now() + make_interval(secs => cast(:seconds as double precision) / 2)
                        returning (select f.followed_until from job_log f where f.job_id = l.job_id) > now() is not true as begun
                        """)
                .param("job", job)
                .param("seconds", FOLLOW_SECONDS)
                .query((row, index) -> row.getBoolean("begun"))
                .list();
        boolean begins = started.contains(true);
        if (begins) {
            jdbc.sql("select notify_executors(?, null)").param(job).query(row -> {});
        }
        return begins;
    }

    /** Returns the state of the log of each job. */
    Map<String, LogState> states(Set<String> jobs) {
        Map<String, LogState> found = jdbc
                .sql("""
                        select j.id, coalesce(l.seq, 0) as seq, not is_active(j.state) and not %s as complete
                        from job j left join job_log l on l.job_id = j.id where j.id = any(?)
                        """.formatted(MAY_UPLOAD))
                .param(jobs.toArray(String[]::new))
                .query((row, index) ->
                        Map.entry(row.getString("id"), new LogState(row.getLong("seq"), row.getBoolean("complete"))))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return jobs.stream()
                .collect(Collectors.toMap(
                        job -> job, job -> Objects.requireNonNull(found.getOrDefault(job, LogState.MISSING))));
    }

    /** Returns the selected output up to upload {@code upTo}, by generation and rank. */
    List<RankLog> read(String job, LogQuery query, long upTo) {
        return jdbc.sql("""
                        select r.*, coalesce((select string_agg(c.text, '' order by c.seq) from job_log_chunk c
                            where c.job_id = r.job_id and c.generation = r.generation and c.rank = r.rank
                            and c.seq > :after and c.seq <= :upTo), '') as text
                        from job_log_rank r
                        where r.job_id = :job and r.seq > :after and r.rank = coalesce(cast(:rank as integer), r.rank)
                            and (r.generation = coalesce(cast(:generation as bigint), case when :after = 0 then
                                (select max(generation) from job_log_rank n where n.job_id = :job) else r.generation end))
                        order by r.generation, r.rank
                        """)
                .param("job", job)
                .param("after", query.after() == null ? 0 : query.after())
                .param("upTo", upTo)
                .param("rank", query.rank())
                .param("generation", query.generation())
                .query((row, index) -> read(row, query.lines()))
                .list();
    }

    /** Returns a row of {@code job_log_rank} with its {@code text}. */
    static RankLog read(ResultSet row, int lines) throws SQLException {
        Long code = Rows.number(row, "exit_code");
        String memory = row.getString("out_of_memory");
        Integer exitCode = code == null ? null : Integer.valueOf(code.intValue());
        return new RankLog(
                row.getLong("generation"),
                row.getInt("rank"),
                row.getString("node"),
                exitCode,
                ExitCode.signal(exitCode),
                row.getBoolean("stopped"),
                memory == null ? null : OutOfMemory.valueOf(memory),
                Rows.instant(row, "ended_at"),
                row.getString("path"),
                lastLines(row.getString("text"), lines));
    }

    private static List<String> lastLines(@Nullable String text, int max) {
        List<String> lines = text == null ? List.of() : text.lines().toList();
        return lines.subList(Math.max(0, lines.size() - max), lines.size());
    }
}
