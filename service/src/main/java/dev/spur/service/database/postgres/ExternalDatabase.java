package dev.spur.service.database.postgres;

import dev.spur.service.startup.StartupFailure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** PostgreSQL that is operated outside of Spur. */
record ExternalDatabase(String jdbcUrl, String user, String password) implements Database {

    private static final int OLDEST_VERSION = 15;
    private static final String SECONDS_TO_CONNECT = "10";

    /**
     * Connects once, so that a wrong address or password is reported before any other component starts.
     *
     * @throws StartupFailure if the database cannot be used
     */
    static ExternalDatabase connect(DatabaseUrl url) {
        var database = new ExternalDatabase(url.jdbcUrl(), url.user(), url.password());
        try (Connection connection = DriverManager.getConnection(url.jdbcUrl(), database.properties())) {
            int version = connection.getMetaData().getDatabaseMajorVersion();
            if (version < OLDEST_VERSION) {
                throw new StartupFailure("The database at %s is PostgreSQL %d; Spur needs %d or newer."
                        .formatted(url.mask(), version, OLDEST_VERSION));
            }
            return database;
        } catch (SQLException e) {
            throw new StartupFailure(explain(url, e), e);
        }
    }

    @Override
    public void close() {
        // The server was running before this process and outlives it.
    }

    @Override
    public String toString() {
        return "ExternalDatabase[credentials hidden]";
    }

    private Properties properties() {
        var properties = new Properties();
        properties.setProperty("connectTimeout", SECONDS_TO_CONNECT);
        properties.setProperty("loginTimeout", SECONDS_TO_CONNECT);
        if (!user.isEmpty()) {
            properties.setProperty("user", user);
            properties.setProperty("password", password);
        }
        return properties;
    }

    private static String explain(DatabaseUrl url, SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse(state);
        if (state.startsWith("28")) {
            return "The database at %s rejects the login (%s). Check SPUR_DATABASE_USER and SPUR_DATABASE_PASSWORD."
                    .formatted(url.mask(), reason);
        }
        if (state.startsWith("08")) {
            return "Cannot reach the database at %s (%s). Check SPUR_DATABASE_URL and that the server is up."
                    .formatted(url.mask(), reason);
        }
        return "Cannot use the database at %s: %s".formatted(url.mask(), reason);
    }
}
