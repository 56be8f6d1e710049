package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.aggregator.Content;
import dev.spur.agent.process.JobUsers;
import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.process.TestUsers;
import dev.spur.agent.protocol.Messages.AggregatorOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The user of aggregators, with real processes. The agent is the test itself, which runs as root. */
@Tag("process")
class AggregatorUserTest {
    private static final ProcessRuns.LogBounds BOUNDS =
            new ProcessRuns.LogBounds(100_000, Long.MAX_VALUE, 100, Duration.ofDays(1));
    private static final AggregatorOrder ORDER =
            new AggregatorOrder(7, 20_007, 1, List.of(new Content.Part("job", 3, 2, List.of(0, 1))));
    /** Writes what it is and what it was told into its log, and counts as an aggregator does. */
    private static final String PROGRAM = """
            id -u
            cat "$4"
            cat "$7" 2>&1
            echo '{"instance": "i", "seconds": 5, "shardsByJob": []}' >"$6"
            sleep 60""";

    @TempDir
    private Path folder;

    private final List<String> lines = new ArrayList<>();

    @Test
    @Timeout(60)
    void isNotRootWhereJobsHaveUsersOfTheirOwn() throws Exception {
        try (TestUsers users = new TestUsers()) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
            Path secret = Files.writeString(folder.resolve("secret"), "token");
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            try (StateDirectory state = StateDirectory.open(folder.resolve("state"))) {
                state.admitJobUsers();
                new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ofHours(1));
                StateDirectory sums = state.part("aggregators");
                RunSpec.Owner owner =
                        Objects.requireNonNull(Aggregators.owner(JobUsers.parse(List.of(users.add()), false), sums));
                ProcessRuns runs = ProcessRuns.reattach(sums, Optional.empty(), BOUNDS, lines::add);
                Aggregators aggregators = new Aggregators(
                        runs,
                        sums,
                        owner,
                        List.of("sh", "-c", PROGRAM.replace("$7", secret.toString()), "sh"),
                        lines::add);

                aggregators.reconcile(List.of(ORDER), true);
                await(() -> {
                    aggregators.reconcile(List.of(ORDER), true);
                    return !aggregators.counts().isEmpty();
                });

                assertThat(aggregators.counts().get(0).seconds()).isEqualTo(5);
                assertThat(log(sums))
                        .contains(
                                Long.toString(owner.user().uid()),
                                ORDER.content().json())
                        .noneMatch(line -> line.contains("token"));
                assertThat(owner.user().name()).isEqualTo("nobody");
                aggregators.reconcile(List.of(), true);
                await(() -> {
                    aggregators.observe();
                    return runs.all().stream().allMatch(run -> run.phase() == ProcessRun.Phase.ENDED);
                });
            }
        }
    }

    @Test
    void isThatOfTheAgentWhereJobsHaveTheSame() throws Exception {
        try (StateDirectory state = StateDirectory.open(folder.resolve("state"))) {
            String self = System.getProperty("user.name");

            assertThat(Aggregators.owner(JobUsers.parse(List.of(self), false), state))
                    .isNull();
        }
    }

    private static List<String> log(StateDirectory sums) throws Exception {
        return Files.readAllLines(sums.logs().resolve("aggregator-7").resolve("gen-20007-rank-0.log"));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(50);
        }
    }
}
