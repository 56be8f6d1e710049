package dev.spur.benchmarks.load;

import dev.spur.postgres.PostgresServer;
import dev.spur.postgres.StatementCounter;
import dev.spur.postgres.StatementCounter.DatabaseWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * SQL statements that the service executes for each operation in the life of a job, and for a round. A proxy between
 * service and PostgreSQL counts them. Background tasks add statements to some repetitions, so the least count is taken.
 */
public final class StatementCounts {
    private static final int JOBS = 10;

    private final Map<String, List<DatabaseWork>> samples = new LinkedHashMap<>();

    private StatementCounts() {}

    /** Returns the work of each operation, in the order of the life of a job. {@code home} must be empty. */
    public static Map<String, DatabaseWork> measure(Path home) throws Exception {
        StatementCounts counts = new StatementCounts();
        try (PostgresServer server = PostgresServer.start(home);
                StatementCounter counter = StatementCounter.to(server.jdbcUrl());
                ServiceProcess service = ServiceProcess.start(
                        home,
                        Map.of(
                                "SPUR_DATABASE_URL", counter.through(server.jdbcUrl()),
                                "SPUR_DATABASE_USER", server.user(),
                                "SPUR_DATABASE_PASSWORD", server.password()))) {
            counts.live(new SpurClient(service.address(), "counted"), counter);
        }
        Map<String, DatabaseWork> min = new LinkedHashMap<>();
        counts.samples.forEach((operation, works) -> min.put(operation, StatementCounter.min(works)));
        return min;
    }

    private void live(SpurClient client, StatementCounter counter) throws Exception {
        client.register(0);
        client.planOnDemand(1);
        PollingExecutors fleet = new PollingExecutors(client, JOBS);
        fleet.register();
        for (int job = 0; job < JOBS; job++) {
            count(counter, "submission", client::submitUnplannable);
        }
        fleet.submitJobs();
        client.plan();
        // waits for the refreshes that a new plan causes
        TimeUnit.SECONDS.sleep(2);
        List<PollingExecutors.Assignment> assignments = fleet.assignments();
        for (String state : PollingExecutors.STARTS) {
            for (PollingExecutors.Assignment assignment : assignments) {
                count(counter, "transition to " + state, () -> client.send(assignment.transition(state)));
            }
        }
        for (PollingExecutors.Assignment assignment : assignments) {
            client.send(assignment.progress());
            count(counter, "progress report", () -> client.send(assignment.progress()));
        }
        for (int round = 0; round < JOBS / 2; round++) {
            count(counter, "round without changes", client::plan);
        }
        for (PollingExecutors.Assignment assignment : assignments) {
            count(counter, "transition to STOPPED", () -> client.send(assignment.exit()));
        }
    }

    private void count(StatementCounter counter, String operation, Callable<?> action) throws Exception {
        counter.take();
        action.call();
        samples.computeIfAbsent(operation, fresh -> new ArrayList<>()).add(counter.take());
    }

    /** Returns the total statements of a job with one progress report, without its share of a round. */
    public static int ofLife(Map<String, DatabaseWork> counts) {
        return counts.entrySet().stream()
                .filter(count -> !count.getKey().startsWith("round"))
                .mapToInt(count -> count.getValue().statements().size())
                .sum();
    }
}
