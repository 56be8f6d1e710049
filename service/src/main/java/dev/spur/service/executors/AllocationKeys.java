package dev.spur.service.executors;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.jobs.AssignmentStore;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Keys that identify the generation of training code, and the addresses of the gang members. */
@Repository
class AllocationKeys {
    private final JdbcClient jdbc;

    AllocationKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the generation of {@code job} with this key, a UUID; empty if the key belongs to no generation of this
     * job.
     */
    public Optional<Long> generation(String job, String key) {
        return jdbc.sql("select generation from job_allocation where job_id = ? and key = cast(? as uuid)")
                .params(job, key)
                .query(Long.class)
                .optional();
    }

    /** Member of a gang: its address, its number of ranks, and whether it was started. */
    private record Member(String address, int ranks, boolean up) {}

    /**
     * Returns the addresses of a generation by rank, once every member was started. The result is empty before that,
     * and after any member has ended.
     */
    public Optional<List<String>> addresses(String job, long generation) {
        List<Member> members = jdbc.sql("""
                        select coalesce(e.address, m.node) as address, cardinality(m.devices) as ranks,
                               m.state in ('STARTING', 'RUNNING') as up
                        from assignment m left join executor e on e.id = m.node
                        where m.job_id = ? and m.generation = ? and %s order by m.node_rank
                        """.formatted(AssignmentStore.MEMBER))
                .params(job, generation)
                .query(RecordMapper.of(Member.class))
                .list();
        if (members.isEmpty() || !members.stream().allMatch(Member::up)) {
            return Optional.empty();
        }
        return Optional.of(members.stream()
                .flatMap(member -> Collections.nCopies(member.ranks(), member.address()).stream())
                .collect(Collectors.toUnmodifiableList()));
    }
}
