package dev.spur.service.cluster;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.security.AccessScope;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** CPUs and host memory of nodes by use. */
@Repository
public class HostUseStore {
    private final JdbcClient jdbc;

    HostUseStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** CPUs and memory in GiB of a node by use. Members as in the contract. */
    public record HostUse(
            String node,
            double cpus,
            double trainingCpus,
            double aggregatorCpus,
            double preparationCpus,
            double freeCpus,
            double memoryGiB,
            double trainingGiB,
            double preparationsGiB,
            double lentGiB,
            double borrowedGiB,
            double usedGiB,
            double risk) {}

    /**
     * Returns the use of the first {@code limit} nodes within the scope whose id comes after {@code after}, by id.
     *
     * @param node the only node to return; null for all
     */
    public List<HostUse> list(AccessScope scope, @Nullable String node, String after, int limit) {
        return jdbc.sql("""
                        with training as (
                            select piece.node,
                                sum(piece.slots * host_per_slot(allocation, spec, 'cpusPerSlot')) as cpus,
                                sum(piece.slots * host_per_slot(allocation, spec, 'memoryGiBPerSlot')) as gib
                            from job, placement(allocation) piece
                            where state in ('RUNNING', 'COMPLETING') group by 1),
                        summing as (select node, sum(cpus) as cpus from aggregator group by 1),
                        prepared as (
                            select resource_grant, resource_grant ->> 'node' as node,
                                coalesce(cast(resource_grant ->> 'cpus' as double precision), 0) as cpus,
                                cast(resource_grant ->> 'localGiB' as double precision) as gib
                            from job where kind = 'DATA_PREPARATION' and state = 'RUNNING'),
                        loan as (
                            select node as borrower, one ->> 'lender' as lender, cast(one ->> 'gib' as double precision) as gib
                            from prepared, jsonb_array_elements(resource_grant -> 'loans') one),
                        here as (select node, sum(cpus) as cpus, sum(gib) as gib from prepared group by 1),
                        lent as (select lender as node, sum(gib) as gib from loan group by 1),
                        borrowed as (select borrower as node, sum(gib) as gib from loan group by 1)
                        select id as node, node.cpus, coalesce(training.cpus, 0) as training_cpus,
                            coalesce(summing.cpus, 0) as aggregator_cpus, coalesce(here.cpus, 0) as preparation_cpus,
                            greatest(0, node.cpus - coalesce(training.cpus, 0) - coalesce(summing.cpus, 0)
                                - coalesce(here.cpus, 0)) as free_cpus,
                            memory_gib, coalesce(training.gib, 0) as training_gib, coalesce(here.gib, 0) as preparations_gib,
                            coalesce(lent.gib, 0) as lent_gib, coalesce(borrowed.gib, 0) as borrowed_gib,
                            coalesce(used_gib, 0) as used_gib, coalesce(risk, 0) as risk
                        from node left join training on training.node = id left join summing on summing.node = id
                            left join here on here.node = id left join lent on lent.node = id
                            left join borrowed on borrowed.node = id left join node_memory on node_memory.node = id
                        where id > ? and id = coalesce(cast(? as text), id) and id = coalesce(cast(? as text), id) order by id limit ?
                        """)
                .param(after)
                .param(scope.node())
                .param(node)
                .param(limit)
                .query(RecordMapper.of(HostUse.class))
                .list();
    }
}
