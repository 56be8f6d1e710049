package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.postgres.StatementCounter;
import dev.spur.postgres.StatementCounter.DatabaseWork;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

/** Limits the SQL statements and round trips of the operations that a busy service repeats most. */
@Import(CountedDatabase.class)
class StatementCountTest extends ExecutorsTest {
    /** Repetitions of each operation, each on another job where a job has it only once. */
    private static final int REPETITIONS = 4;

    @Autowired
    private StatementCounter counter;

    /** Asserts the least work of several repetitions: tasks in the background add to some of them. */
    private void assertWork(int statements, int roundTrips, IntConsumer operation) {
        List<DatabaseWork> works = IntStream.range(0, REPETITIONS)
                .mapToObj(repetition -> {
                    counter.take();
                    operation.accept(repetition);
                    return counter.take();
                })
                .toList();
        DatabaseWork min = StatementCounter.min(works);
        String executed = min.statements().stream()
                .map(StatementCounter.ExecutedStatement::sql)
                .collect(Collectors.joining("\n"));
        assertThat(min.statements()).as(executed).hasSizeLessThanOrEqualTo(statements);
        assertThat(min.roundTrips()).as(executed).isLessThanOrEqualTo(roundTrips);
    }

    private List<String> assignments() {
        List<String> assignments = new ArrayList<>();
        for (int job = 0; job < REPETITIONS; job++) {
            assignments.add(placed(piece("n1", "d" + job)) + ".1");
        }
        return assignments;
    }

    private void report(List<String> assignments, String state) {
        assignments.forEach(assignment -> one.step(assignment, state).is(200));
    }

    private void assertTransition(List<String> assignments, String state, int statements, int roundTrips) {
        assertWork(
                statements,
                roundTrips,
                job -> one.step(assignments.get(job), state).is(200));
    }

    @Test
    void ofASubmission() {
        assertWork(
                4,
                2,
                repetition -> api.post(
                                "/api/v1/jobs",
                                """
                        {"name": "job", "command": {"program": "train"}, "spec": {
                          "work": {"unit": "SAMPLES", "amount": 1e8}, "elasticity": {"maxSlots": 1},
                          "batch": {"initial": 128, "min": 128, "max": 512, "maxPerDevice": 512},
                          "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1,
                            "batchSize": 128, "samplesPerSecond": 100}]}}}
                        """,
                                "Idempotency-Key",
                                UUID.randomUUID().toString())
                        .is(201));
    }

    @Test
    void ofTheStartOfAnAssignment() {
        List<String> assignments = assignments();

        assertTransition(assignments, "ACCEPTED", 7, 3);
        assertTransition(assignments, "STARTING", 8, 3);
        assertTransition(assignments, "RUNNING", 7, 3);
    }

    @Test
    void ofTheEndOfAJob() {
        List<String> assignments = assignments();
        List.of("ACCEPTED", "STARTING", "RUNNING").forEach(state -> report(assignments, state));

        assertWork(9, 5, job -> one.exit(assignments.get(job), 0).is(200));
    }

    @Test
    void ofAProgressReport() {
        List<String> assignments = assignments();
        List.of("ACCEPTED", "STARTING", "RUNNING").forEach(state -> report(assignments, state));
        String job = assignments.get(0).replace(".1", "");

        assertWork(
                4,
                3,
                repetition -> api.post(JOBS + job + "/progress", """
                        {"generation": 1, "seq": %d, "samplesTotal": 100, "state": "RUNNING"}
                        """.formatted(repetition + 1))
                        .is(200));
    }

    @Test
    void ofAProgressReportWithAChangeThatWasCounted() {
        List<String> assignments = assignments();
        List.of("ACCEPTED", "STARTING", "RUNNING").forEach(state -> report(assignments, state));
        String job = assignments.get(0).replace(".1", "");

        assertWork(
                5,
                4,
                repetition -> api.post(JOBS + job + "/progress", """
                        {"generation": 1, "seq": %d, "samplesTotal": 100, "state": "RUNNING",
                         "changes": [{"number": 1, "kind": "RECONFIGURE", "stallSeconds": 0}]}
                        """.formatted(repetition + 1))
                        .is(200));
    }

    @Test
    void ofAProgressReportWithANewChange() {
        List<String> assignments = assignments();
        List.of("ACCEPTED", "STARTING", "RUNNING").forEach(state -> report(assignments, state));
        String job = assignments.get(0).replace(".1", "");

        assertWork(
                7,
                6,
                repetition -> api.post(JOBS + job + "/progress", """
                        {"generation": 1, "seq": %1$d, "samplesTotal": 100, "state": "RUNNING",
                         "changes": [{"number": %1$d, "kind": "RECONFIGURE", "stallSeconds": 0}]}
                        """.formatted(repetition + 1))
                        .is(200));
    }

    @Test
    void ofAHeartbeat() {
        assertWork(6, 3, repetition -> one.status().is(200));
    }

    @Test
    void ofARoundWithoutChanges() {
        assignments();
        rounds.run();

        assertWork(33, 9, repetition -> rounds.run());
    }

    @Test
    void ofARoundThatPublishes() {
        List<String> jobs =
                IntStream.range(0, REPETITIONS).mapToObj(job -> submit(1)).toList();
        rounds.run();

        assertWork(46, 15, repetition -> {
            plan.put(jobs.get(repetition), piece("n1", "d" + repetition));
            rounds.run();
        });
    }
}
