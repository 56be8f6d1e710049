package dev.spur.service.jobs;

import dev.spur.model.allocation.Allocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Orders changes of the ranks of running jobs. */
@Repository
public class RankChangeStore {
    /** Condition that the ranks of {@code job} run and do not change, so that a plan may change them. */
    public static final String RESCALES = """
            (not job.rescale_failed and coalesce((select bool_and(m.state = 'RUNNING' and m.next_devices is null) from assignment m
                where m.job_id = job.id and m.generation = job.generation and %s), false))
            """.formatted(AssignmentStore.MEMBER);

    private final JdbcClient jdbc;
    private final JdbcTemplate batches;

    RankChangeStore(JdbcClient jdbc, JdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /**
     * Change of the ranks of a running job within its generation.
     *
     * @param before resources that the job holds, in the order of ranks
     * @param after resources that it holds after the change, with the same device of rank 0
     */
    public record RankOrder(String jobId, long generation, Allocation before, Allocation after) {}

    /**
     * Orders changes of the ranks of running jobs. Their assignments hold their devices and those that they get until
     * their executors have completed the change. Assignments on nodes of ranks that join are offered.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void order(Collection<RankOrder> orders) {
        if (orders.isEmpty()) {
            return;
        }
        List<@Nullable Object[]> staying = new ArrayList<>();
        List<@Nullable Object[]> joining = new ArrayList<>();
        for (RankOrder order : orders) {
            int port =
                    jdbc.sql("select nextval('gang_port')").query(Integer.class).single();
            staying.addAll(GangMember.retainedMembers(order, port));
            joining.addAll(GangMember.joining(order));
        }
        batches.batchUpdate("""
                update assignment a set next_devices = ?, node_rank = coalesce(?, node_rank), rank_offset = coalesce(?, rank_offset),
                    ranks = ?, rescale_port = ?, rescale = rescale + 1, rescaled_at = clock_timestamp()
                where a.job_id = ? and a.generation = ? and a.node = ? and a.state = 'RUNNING'
                """, staying);
        batches.batchUpdate("""
                insert into assignment (job_id, generation, node, role, devices, aggregation_slots, node_rank, rank_offset, port,
                    resume_up_to, next_devices, ranks, rescale_port, rescale, rescaled_at)
                select m.job_id, m.generation, ?, m.role, next.devices, 0, ?, ?, m.port, m.resume_up_to, next.devices, m.ranks,
                    m.rescale_port, m.rescale, m.rescaled_at
                from assignment m, (select cast(? as text[]) as devices) next
                where m.job_id = ? and m.generation = ? and m.node = ?
                on conflict (job_id, generation, node) do update set state = 'OFFERED', devices = excluded.devices,
                    node_rank = excluded.node_rank, rank_offset = excluded.rank_offset, next_devices = excluded.next_devices,
                    ranks = excluded.ranks, rescale_port = excluded.rescale_port, rescale = excluded.rescale,
                    rescaled_at = excluded.rescaled_at, pid = null, exit_code = null, requested = null, detail = null,
                    ready_at = null, changed_at = clock_timestamp()
                """, joining);
        grant();
    }

    /**
     * Gives the assignments whose ranks change the devices of the ranks that join, once no other assignment holds any.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void grant() {
        jdbc.sql("""
                        update assignment a set devices = devices || array(
                            select device from unnest(next_devices) device where device <> all(a.devices))
                        where next_devices is not null and state = 'RUNNING' and not next_devices <@ devices
                          and not exists (select from assignment b where b.node = a.node and b.job_id <> a.job_id
                              and b.devices && a.next_devices and holds_devices(b.state))
                        """).update();
    }
}
