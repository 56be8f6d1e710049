package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.HostGrant;
import dev.spur.model.job.HostDemand;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.service.testing.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Other CPUs and memory for a running job: in place, unless it reads them only at its start. */
class GrantOfAssignmentsTest extends ExecutorsTest {
    private static final HostSensitivity LEVELS =
            new HostSensitivity(List.of(new HostLevel(2, 4, 1), new HostLevel(0.5, 4, 0.6)));

    private String submitted(HostSensitivity levels) {
        String job = submit(2);
        world.sql(
                "update job set spec = cast(? as jsonb) where id = ?",
                RoundJson.mapper()
                        .writeValueAsString(TestCluster.spec(2)
                                .edit()
                                .host(new HostDemand(2, 4), levels)
                                .build()),
                job);
        return job;
    }

    private String granted(HostSensitivity levels) {
        String job = submitted(levels);
        place(job, piece("n1", "d0", "d1"));
        run(job, one);
        assertThat(one.poll(job).at("/host/cpus").asDouble()).isEqualTo(4);

        plan.grant(job, new HostGrant(0.5, 4));
        place(job, piece("n1", "d0", "d1"));
        return job;
    }

    @Test
    void keepsTheGeneration() {
        String job = granted(LEVELS);

        assertThat(world.generation(job)).isEqualTo(1);
        assertThat(one.poll(job).at("/host/cpus").asDouble()).isEqualTo(1);
        assertThat(one.poll(job).at("/host/memoryGiB").asDouble()).isEqualTo(8);
        JsonNode shown = api.get(JOBS + job).is(200).json();
        assertThat(shown.at("/allocation/configuration/host/cpusPerSlot").asDouble())
                .isEqualTo(0.5);
        assertThat(shown.at("/history/restarts").asInt()).isZero();
        JsonNode detail = event(job, "RECONFIGURED");
        assertThat(detail.at("/host/before").isNull()).isTrue();
        assertThat(detail.at("/host/after/cpusPerSlot").asDouble()).isEqualTo(0.5);
    }

    @Test
    void isNotOfferedToAJobThatAPlatformRuns() {
        String job = submitted(LEVELS);
        place(job, piece("n1", "d0", "d1"));
        assertThat(plan.specOf(job).hostSensitivity()).isEqualTo(LEVELS);

        world.sql("insert into connector (name, kind, control_level) values ('hall', 'slurm', 'RESIZE')");
        world.sql("insert into connector_job (connector, platform_id, job_id) values ('hall', '7', ?)", job);
        place(job, piece("n1", "d0", "d1"));
        assertThat(plan.specOf(job).hostSensitivity()).isNull();
    }

    @Test
    void isARestartForAJobThatReadsItsResourcesOnlyAtTheStart() {
        String job = granted(LEVELS.atStart());

        assertThat(world.generation(job)).isEqualTo(2);
    }
}
