package dev.spur.service.jobs;

import dev.spur.model.job.JobGroup;
import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Groups of jobs that share a limit. */
@Repository
public class JobGroupStore extends NamedResourceTable<JobGroup> {
    private static final String COLUMNS = "name, tenant, max_slots, max_jobs";
    /** Selects every group, by name. */
    public static final String ALL = "select " + COLUMNS + " from job_group order by name";

    public JobGroupStore(JdbcClient jdbc) {
        super(jdbc, JobGroup.class, "job_group", "name", COLUMNS);
    }

    @Override
    protected String within(AccessScope reach, List<Object> parameters) {
        return ScopeCondition.tenants(reach, "tenant", parameters);
    }

    /** Returns every group, by name. */
    public List<JobGroup> all() {
        return all("name");
    }

    /** Returns the ids of active jobs in the group, the first ten by submission. */
    public List<String> activeJobsOf(String name) {
        return jdbc.sql("select id from job where active_group = ? order by seq limit 10")
                .param(name)
                .query(String.class)
                .list();
    }
}
