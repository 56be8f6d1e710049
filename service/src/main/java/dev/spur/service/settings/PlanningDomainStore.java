package dev.spur.service.settings;

import dev.spur.service.database.RestoreConditions;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.resource.NamedResourceTable;
import dev.spur.service.resource.Versioned;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Planning domains. A change of the domains repartitions the state in its transaction. Each job moves to the domain of
 * the pool where it holds slots; the other jobs become unassigned. Every round in progress is fenced, since it has read
 * the old partition.
 */
@Repository
public class PlanningDomainStore extends NamedResourceTable<PlanningDomain> {
    private static final String POOLS =
            "array(select p.name from pool p where p.domain = planning_domain.name order by p.name) as pools";
    /** Selects the names of all domains, the default domain first; no row without planning domains. */
    public static final String NAMES = "select name from (select 0, '" + PlanningDomain.DEFAULT + """
            ' as name union all select 1, name from planning_domain order by 1, 2) names where exists (select from planning_domain)
            """;

    private static final String ACTIVE = "state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING')";

    PlanningDomainStore(JdbcClient jdbc) {
        super(jdbc, PlanningDomain.class, "planning_domain", "name", "name, " + POOLS);
    }

    /** Returns the names of all domains, the default domain first; empty without planning domains. */
    public List<String> names() {
        return jdbc.sql(NAMES).query(String.class).list();
    }

    /** Returns the domain of each pool. */
    public Map<String, String> domainOfPools() {
        Map<String, String> domains = new HashMap<>();
        jdbc.sql("select name, coalesce(domain, ?) as domain from pool")
                .param(PlanningDomain.DEFAULT)
                .query(row -> {
                    domains.put(row.getString("name"), row.getString("domain"));
                });
        return domains;
    }

    /**
     * Returns the domain. Until the transaction ends, publication, the start of rounds and changes of domains are
     * blocked.
     */
    @Override
    public Optional<Versioned<PlanningDomain>> lock(String name) {
        jdbc.sql("select name from planner_lease order by name = 'planner', name for update")
                .query(row -> {});
        return super.lock(name);
    }

    @Override
    public boolean insert(PlanningDomain domain) {
        boolean created = jdbc.sql("insert into planning_domain (name) values (?) on conflict do nothing")
                        .param(domain.name())
                        .update()
                == 1;
        if (created) {
            setPools(domain.name(), domain.pools());
        }
        return created;
    }

    @Override
    public void replace(PlanningDomain domain) {
        jdbc.sql("update planning_domain set version = version + 1 where name = ?")
                .param(domain.name())
                .update();
        setPools(domain.name(), domain.pools());
    }

    @Override
    public boolean delete(String name) {
        setPools(name, List.of());
        boolean deleted = super.delete(name);
        divide();
        return deleted;
    }

    /** Returns the domain of each active job that has one. */
    public Map<String, String> domainOfJobs() {
        Map<String, String> domains = new HashMap<>();
        jdbc.sql("select id, domain from job where domain is not null and " + ACTIVE)
                .query(row -> {
                    domains.put(row.getString("id"), row.getString("domain"));
                });
        return domains;
    }

    /** Returns the domain of a job; empty if it has none. */
    public Optional<String> domainOf(String job) {
        return jdbc.sql("select domain from job where id = ? and domain is not null")
                .param(job)
                .query(String.class)
                .optional();
    }

    /**
     * Assigns jobs without an allocation to other domains. A job that has received an allocation or another domain in
     * the meantime is skipped.
     *
     * @param to new domain by job id
     * @param from expected domain by job id; a missing job is expected to have none
     * @return ids of the jobs that were assigned
     */
    @Transactional
    public Set<String> assign(Map<String, String> to, Map<String, String> from) {
        Set<String> given = new HashSet<>();
        to.forEach((job, domain) -> {
            int rows =
                    jdbc.sql("""
                            update job set domain = ? where id = ? and allocation is null
                                and domain is not distinct from cast(? as text) and exists (select from planning_domain)
                            """).param(domain).param(job).param(from.get(job)).update();
            if (rows == 1) {
                given.add(job);
            }
        });
        return given;
    }

    /** Returns the ids of preparations that hold or borrow memory of nodes in these pools, the first ten. */
    public List<String> preparationsIn(List<String> pools) {
        return jdbc.sql("""
                        select p.id from job p
                        where p.kind = 'DATA_PREPARATION' and p.state = 'RUNNING' and exists (select from node n where n.pool = any(?)
                            and (n.id = p.resource_grant ->> 'node' or n.id in (
                                select loan ->> 'lender' from jsonb_array_elements(p.resource_grant -> 'loans') loan)))
                        order by p.seq limit 10
                        """)
                .param(pools.toArray(String[]::new))
                .query(String.class)
                .list();
    }

    private void setPools(String domain, List<String> pools) {
        String[] names = pools.toArray(String[]::new);
        jdbc.sql("update pool set domain = null where domain = ? and name <> all(?)")
                .params(domain, names)
                .update();
        jdbc.sql("update pool set domain = ? where name = any(?) and domain is distinct from ?")
                .params(domain, names, domain)
                .update();
        divide();
    }

    private void divide() {
        boolean divided = !names().isEmpty();
        jdbc.sql("select id from job where " + ACTIVE + " order by seq for no key update")
                .query(row -> {});
        jdbc.sql("update job set domain = null where domain is not null and " + ACTIVE)
                .update();
        if (divided) {
            jdbc.sql("""
                            update job set domain = coalesce(
                                (select p.domain from pool p where p.name = allocation #>> '{configuration,pool}'), ?)
                            where allocation is not null and
                            """ + ACTIVE).param(PlanningDomain.DEFAULT).update();
        }
        leases(divided);
        rounds(divided);
        jdbc.sql("delete from domain_eta").update();
    }

    /** Creates a free lease for each domain, with a lease term that was never issued. */
    private void leases(boolean divided) {
        jdbc.sql("delete from planner_lease where name <> 'planner' and name <> all(?)")
                .param(names().stream().map(LeaseStore::row).toArray(String[]::new))
                .update();
        jdbc.sql("""
                        insert into planner_lease (name, holder, lease_term, expires_at) select unnest(?), '', 0, now() on conflict do nothing
                        """)
                .param(names().stream().map(LeaseStore::row).toArray(String[]::new))
                .update();
        jdbc.sql("""
                        update planner_lease set holder = '', lease_term = greatest((select max(lease_term) from planner_lease), %s) + 1,
                            expires_at = case when ? and name = 'planner' then 'infinity' else clock_timestamp() end
                        """.formatted(RestoreConditions.FLOOR)).param(divided).update();
    }

    private void rounds(boolean divided) {
        jdbc.sql("""
                        update round set status = 'FENCED', finished_at = now(), error = 'the planning domains have changed'
                        where status = 'RUNNING'
                        """).update();
        jdbc.sql("update round set domain = ? where status = 'REQUESTED'")
                .param(divided ? PlanningDomain.DEFAULT : null)
                .update();
    }
}
