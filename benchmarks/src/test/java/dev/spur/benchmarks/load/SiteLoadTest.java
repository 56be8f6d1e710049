package dev.spur.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.simulator.report.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class SiteLoadTest {
    @Test
    void aSmallSiteRunsItsJobsAndIsAnsweredRightly() throws Exception {
        Path home = Files.createTempDirectory("spur-load");
        SiteLoad.Size small = new SiteLoad.Size(3, 15, 10, 2, 1, 1, 1);
        try (ServiceProcess service = ServiceProcess.start(home, Map.of());
                SiteLoad site = new SiteLoad(service, small)) {
            ResultTable table = site.run(6, 6);

            assertThat(site.failures()).isZero();
            assertThat(site.endedJobs()).isGreaterThan(3);
            assertThat(table.rows())
                    .extracting(row -> row.get(0))
                    .contains(
                            "GET /executors/{id}/assignments",
                            "POST /executors/{id}/assignments/{id}/transitions",
                            "POST /jobs",
                            "submission to start",
                            "rounds");
        } finally {
            ServiceProcess.delete(home);
        }
    }
}
