package dev.spur.service.database.postgres;

/** A reachable PostgreSQL, embedded or external, with its connection settings. */
public sealed interface Database extends AutoCloseable permits EmbeddedDatabase, ExternalDatabase {

    /** Returns the URL to which clients connect. */
    String jdbcUrl();

    /** Returns the user; empty if the URL contains it. */
    String user();

    /** Returns the password of {@link #user()}; empty for none. */
    String password();

    /** Stops the server if this process started it. */
    @Override
    void close();
}
