package dev.spur.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.TestCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The clock of a replica's machine is wrong. As seen from there it is the database's, so that is the one which is set.
 */
@Tag("fault")
class ClockFaultTest {
    @ParameterizedTest
    @ValueSource(strings = {"-1 hour", "1 hour"})
    void theTimeOfTheDatabaseDecides(String shift) throws Exception {
        try (TestDatabase database = TestDatabase.create()) {
            database.execute("create schema shifted");
            for (String clock : new String[] {"now", "clock_timestamp"}) {
                database.execute("""
                        create function shifted.%1$s() returns timestamptz language sql volatile
                        return pg_catalog.%1$s() + interval '%2$s'
                        """.formatted(clock, shift));
            }
            database.execute("alter database " + database.name() + " set search_path = public, shifted, pg_catalog");
            try (Replica replica = Replica.start(database)) {
                plansAndHoldsLeasesByTheDatabase(replica);
            }
        }
    }

    private static void plansAndHoldsLeasesByTheDatabase(Replica replica) throws Exception {
        TestCluster world = replica.world();
        Faults.await("the first plan", () -> world.value(Boolean.class, "select exists (select 1 from plan)"));
        world.reset();
        world.node("n1", 1);
        String placed = world.job(1);
        Faults.await("a round", () -> {
            replica.api.post("/api/v1/rounds");
            return world.state(placed).equals("RUNNING");
        });

        String soon = world.value(
                String.class,
                "select to_char(now() at time zone 'UTC' + interval '30 min', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')");
        replica.api
                .post("/api/v1/jobs", Faults.submission("soon", job -> job.put("deadline", soon)))
                .is(201);
        assertThat(
                        world.value(
                                Double.class,
                                "select abs(extract(epoch from now() - allocated_since)) from job where allocation is not null"))
                .isLessThan(600);
        assertThat(world.value(Double.class, "select abs(extract(epoch from now() - expires_at)) from planner_lease"))
                .isLessThan(600);
    }
}
