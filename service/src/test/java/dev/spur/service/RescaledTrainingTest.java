package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real PyTorch training under a service and an agent with two slots. Another job starts and ends on the second slot,
 * so the plan changes the number of ranks while the training runs. Then the agent and a rank are killed in the change.
 */
@Tag("training")
@Tag("fault")
class RescaledTrainingTest {
    @TempDir
    private Path folder;

    @Test
    void ranksJoinAndLeaveARunningTrainingWithoutARestart() throws Exception {
        Optional<String> python = ReconfiguredTrainingTest.pythonWithTorch();
        assumeTrue(python.isPresent(), "no python3 has torch: apt-get install python3-torch");
        TrainingSite site = new TrainingSite(folder);
        TorchJobs jobs = new TorchJobs(site, folder, python.orElseThrow());
        try {
            site.startAgent("left", 2);
            String other = jobs.submitOther();
            TrainingSite.await("the other job", () -> jobs.slots(other) == 1);
            String job = jobs.submit("rescaleSeconds", 2, 0);
            jobs.awaitRanks(1);

            jobs.cancel(other);
            jobs.awaitChange(job, 2, "left");

            String next = jobs.submitOther();
            jobs.awaitChange(job, 1, "left");
            TrainingSite.await(
                    "the next job on the released slot",
                    () -> jobs.observed(next).equals("RUNNING"));

            jobs.cancel(next);
            TrainingSite.await("the plan of two slots", () -> jobs.slots(job) == 2);
            site.agent("left").kill();
            site.startAgent("left", 2);
            jobs.awaitRanks(2);

            assertThat(site.job(job).path("generation").asLong()).isEqualTo(1);
            List<TorchJobs.Step> steps = jobs.steps();
            assertThat(steps.stream()
                            .filter(step -> step.rank() == 0)
                            .map(TorchJobs.Step::pid)
                            .collect(Collectors.toSet()))
                    .as("the process of rank 0")
                    .hasSize(1);
            assertThat(steps.stream().flatMap(step -> step.samples().stream())).doesNotHaveDuplicates();

            TorchJobs.kill(steps.get(steps.size() - 1).pid());
            TrainingSite.await(
                    "a restart from the checkpoint", () -> jobs.newest().generation() > 1);
            assertThat(site.job(job).path("generation").asLong()).isGreaterThan(1);
        } finally {
            site.end();
        }
    }
}
