package dev.spur.service.questions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class PastJobsTest extends ServiceTest {
    @Autowired
    private PastJobs jobs;

    @Test
    void everyStayBeginsWithAStartUnlessTheAllocationWasKept() {
        String job = world.job(1);
        world.sql("update job set state = 'DONE', ended_at = now() where id = ?", job);
        int generation = 1;
        for (String change : new String[] {"START", "KEEP", "RECONFIGURE", "GROW"}) {
            world.sql("""
                    insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                    values (?, ?, 1, ?, cast(? as jsonb), now() - interval '10 s', now())
                    """, job, generation++, change, """
                    {"configuration": {"pool": "main", "acceleratorType": "A100", "shape": [1], "strategy": "ALL_REDUCE",
                      "aggregationSlots": 0, "batchSize": 64, "accumulationSteps": 0},
                     "placement": [{"node": "n1", "devices": ["d0"]}], "aggregation": [], "since": 0}""");
        }

        assertThat(jobs.stays(10)).extracting(PastJobs.Stay::startsAgain).containsExactly(true, false, true, true);
    }
}
