package dev.spur.service.database.postgres;

import dev.spur.postgres.PostgresServer;

/** The embedded server, which this process has started. */
record EmbeddedDatabase(PostgresServer server) implements Database {

    @Override
    public String jdbcUrl() {
        return server.jdbcUrl();
    }

    @Override
    public String user() {
        return server.user();
    }

    @Override
    public String password() {
        return server.password();
    }

    @Override
    public void close() {
        server.close();
    }
}
