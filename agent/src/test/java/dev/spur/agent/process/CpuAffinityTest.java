package dev.spur.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes write which CPUs they may use. */
class CpuAffinityTest {
    private static final String WATCH =
            "while true; do grep Cpus_allowed_list /proc/self/status | cut -f2 > $OUT.new; mv $OUT.new $OUT; sleep 0.1; done";

    @TempDir
    Path folder;

    private StateDirectory state;
    private ProcessRuns runs;
    private int size;

    @BeforeEach
    void open() throws IOException {
        state = StateDirectory.open(folder.resolve("state"));
        new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ofHours(1));
        var bounds = new ProcessRuns.LogBounds(100_000, 1_000_000, 10, Duration.ofDays(1));
        runs = ProcessRuns.reattach(state, Optional.empty(), bounds, line -> {});
        CpuAffinity affinity = CpuAffinity.open();
        size = affinity.size();
        assumeTrue(size >= 2, "one CPU cannot be divided");
        runs.restrictCpus(affinity);
    }

    @AfterEach
    void endEverything() throws Exception {
        runs.all().forEach(run -> run.stop("end of the test", 0));
        await(() -> {
            runs.observe();
            return runs.all().stream().allMatch(run -> run.phase() == ProcessRun.Phase.ENDED);
        });
        state.close();
    }

    @Test
    void listsOfCpusHaveRanges() {
        assertThat(CpuAffinity.cpus("0-2,7,9-10")).containsExactly(0, 1, 2, 7, 9, 10);
    }

    @Test
    void runsHaveCpusOfTheirOwnWhileTheseSuffice() throws Exception {
        start("a.1", "d/0", 0.5);
        start("b.1", "d/1", 1);
        await(() -> cpus("a.1").size() == 1 && cpus("b.1").size() == 1);

        assertThat(cpus("a.1")).isNotEqualTo(cpus("b.1"));
    }

    @Test
    void anotherGrantChangesTheCpusOfTheRunningProcess() throws Exception {
        ProcessRun run = start("a.1", "d/0", 1);
        await(() -> cpus("a.1").size() == 1);

        runs.limit(run, new RunSpec.Limits(2, 1));
        await(() -> cpus("a.1").size() == 2);
        assertThat(run.spec().limits()).isEqualTo(new RunSpec.Limits(2, 1));

        runs.limit(run, new RunSpec.Limits(0, 0));
        await(() -> cpus("a.1").size() == size);
        assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
    }

    private ProcessRun start(String id, String device, double cpus) throws IOException {
        var process = new RunSpec.ProcessSpec(
                0, List.of("sh", "-c", WATCH), Map.of("OUT", folder.resolve(id).toString()), "");
        return runs.start(new RunSpec(id, id.substring(0, 1), 1, List.of(device), List.of(process), 1, false, cpus, 0));
    }

    private List<Integer> cpus(String id) {
        try {
            Path file = folder.resolve(id);
            return Files.exists(file) ? CpuAffinity.cpus(Files.readString(file).strip()) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
