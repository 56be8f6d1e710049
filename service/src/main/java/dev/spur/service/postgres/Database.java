package dev.spur.service.postgres;

/** A PostgreSQL that answers, ours or somebody else's, and how to reach it. */
public sealed interface Database extends AutoCloseable permits PostgresServer, ExternalDatabase {

    /** Where clients connect to. */
    String jdbcUrl();

    /** The user to connect as; empty when the URL says it all. */
    String user();

    /** The password of {@link #user()}; empty for none. */
    String password();

    /** Ends what this process started. */
    @Override
    void close();
}
