package dev.spur.service.database;

import java.util.OptionalDouble;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Last reading of the database clock, shared by all replicas. */
@Repository
public class DatabaseClockStore {
    /**
     * Time of the last reading, or the clock if it is earlier or was never read. Conditions that must not become true
     * by a jump of the clock use this value. A replica checks the clock for a jump before it stores a new reading, in
     * one transaction.
     */
    public static final String STEADY_NOW = "least((select read_at from database_clock), clock_timestamp())";

    private final JdbcClient jdbc;

    DatabaseClockStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Reads the clock and stores the reading. The other replicas cannot read until the transaction ends.
     *
     * @return seconds since the last reading; negative if the clock was set back, empty for the first reading
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public OptionalDouble read() {
        OptionalDouble elapsed = jdbc
                .sql("select extract(epoch from clock_timestamp() - read_at) from database_clock for update")
                .query(Double.class)
                .list()
                .stream()
                .mapToDouble(Double::doubleValue)
                .findFirst();
        jdbc.sql("""
                        insert into database_clock (read_at) values (clock_timestamp())
                        on conflict (singleton) do update set read_at = excluded.read_at
                        """).update();
        return elapsed;
    }
}
