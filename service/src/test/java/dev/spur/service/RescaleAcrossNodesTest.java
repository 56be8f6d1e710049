package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real PyTorch training under a service and two agents with one slot each. Another job starts and ends on one node,
 * so the training grows from the other node to both, and shrinks back, while it trains. Parts of the site are killed in
 * a change.
 */
@Tag("training")
@Tag("fault")
class RescaleAcrossNodesTest {
    /** Time from the start of a rank until it is ready to join. */
    private static final int PREPARATION_SECONDS = 2;

    @TempDir
    private Path folder;

    private TrainingSite site;
    private TorchJobs jobs;
    private DeviceWatch watch;
    private String other;
    private String job;
    private long generation;

    @BeforeEach
    void trainOnOneNode() throws Exception {
        Optional<String> python = ReconfiguredTrainingTest.pythonWithTorch();
        assumeTrue(python.isPresent(), "no python3 has torch: apt-get install python3-torch");
        site = new TrainingSite(folder);
        jobs = new TorchJobs(site, folder, python.orElseThrow());
        watch = new DeviceWatch(folder);
        site.startAgent("left");
        site.startAgent("right");
        other = jobs.submitOther();
        TrainingSite.await("the other job", () -> jobs.slots(other) == 1);
        job = jobs.submit("rescaleSeconds", 2, PREPARATION_SECONDS);
        jobs.awaitRanks(1);
        generation = jobs.newest().generation();
    }

    @AfterEach
    void endAll() throws Exception {
        if (site != null) {
            watch.close();
            site.end();
        }
    }

    @Test
    void growsToAnotherNodeAndBackAndAgainLikeAnUninterruptedTraining() throws Exception {
        jobs.cancel(other);
        jobs.awaitChange(job, 2, "left", "right");
        assertThat(site.job(job).at("/allocation/placement").size()).isEqualTo(2);

        String next = jobs.submitOther();
        jobs.awaitChange(job, 1, "left", "right");
        TrainingSite.await(
                "the next job on the released node", () -> jobs.observed(next).equals("RUNNING"));

        jobs.cancel(next);
        jobs.awaitRanks(2);
        assertThat(jobs.newest().generation()).isEqualTo(generation);
        List<TorchJobs.Step> steps = jobs.steps();
        assertThat(steps.stream()
                        .filter(step -> step.rank() == 0)
                        .map(TorchJobs.Step::pid)
                        .distinct())
                .as("the process of rank 0")
                .hasSize(1);
        assertThat(steps.stream().flatMap(step -> step.samples().stream())).doesNotHaveDuplicates();
        Map<Integer, Double> losses = TorchJobs.losses(completed(steps));
        Map<Integer, Double> uninterrupted = TorchJobs.losses(jobs.uninterrupted(losses.size()));
        assertThat(losses.keySet()).isEqualTo(uninterrupted.keySet());
        losses.forEach((from, loss) ->
                assertThat(loss).as("loss after %d samples", from).isCloseTo(uninterrupted.get(from), within(1e-4)));

        jobs.cancel(job);
        assertNoDeviceWasHeldTwice();
    }

    @Test
    void restartsFromItsCheckpointIfARankThatJoinsIsKilled() throws Exception {
        jobs.cancel(other);
        awaitARankThatJoins().forEach(TorchJobs::kill);

        awaitARestart();
        assertThat(restartCause()).isEqualTo("FAILED");
    }

    @Test
    void restartsFromItsCheckpointIfTheAgentOfTheNodeThatJoinsIsKilled() throws Exception {
        jobs.cancel(other);
        awaitARankThatJoins();
        site.agent(nodeThatJoins()).kill();

        awaitARestart();
    }

    /** Returns the processes of the rank that joins. */
    private List<Long> awaitARankThatJoins() throws Exception {
        List<Long> joining = new ArrayList<>();
        TrainingSite.await("a rank that joins", () -> {
            joining.addAll(DeviceWatch.processes(folder.resolve(nodeThatJoins()), job + "." + generation));
            return !joining.isEmpty();
        });
        return joining;
    }

    /** The node that had no rank of the training. */
    private String nodeThatJoins() throws Exception {
        return site.node(job).equals("left") ? "right" : "left";
    }

    private void awaitARestart() throws Exception {
        TrainingSite.await("a restart from the checkpoint", () -> jobs.newest().generation() > generation);
        List<TorchJobs.Step> steps = jobs.steps();
        int resumed = steps.stream()
                .filter(step -> step.generation() > generation)
                .mapToInt(TorchJobs.Step::from)
                .min()
                .orElseThrow();
        assertThat(resumed).as("samples at the restart").isPositive();
        assertThat(steps.stream()
                        .filter(step -> step.generation() > generation || step.from() < resumed)
                        .flatMap(step -> step.samples().stream()))
                .as("samples that count")
                .doesNotHaveDuplicates();
        assertNoDeviceWasHeldTwice();
    }

    private String restartCause() throws Exception {
        return site.get("/jobs/" + job + "/events?limit=100")
                .path("items")
                .valueStream()
                .filter(event -> event.path("kind").asString().equals("REQUEUED"))
                .map(event -> event.at("/detail/cause").asString())
                .findFirst()
                .orElse("");
    }

    private void assertNoDeviceWasHeldTwice() {
        assertThat(watch.looks()).isPositive();
        assertThat(watch.conflicts()).isEmpty();
    }

    /** The steps that all ranks have recorded. */
    private static List<TorchJobs.Step> completed(List<TorchJobs.Step> steps) {
        Map<Integer, Long> recorded =
                steps.stream().collect(Collectors.groupingBy(TorchJobs.Step::from, Collectors.counting()));
        return steps.stream()
                .filter(step -> recorded.get(step.from()) == step.ranks())
                .toList();
    }
}
