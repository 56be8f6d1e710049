package dev.spur.service.operations.backup;

import dev.spur.service.startup.StartupFailure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Address and credentials of a database.
 *
 * @param user name of the user; empty if the URL contains it
 */
public record Login(String jdbcUrl, String user, String password) {
    /**
     * Opens a connection without automatic commits, with text formats that are independent of the server configuration.
     */
    Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("ApplicationName", "spur");
        properties.setProperty("tcpKeepAlive", "true");
        if (!user.isEmpty()) {
            properties.setProperty("user", user);
            properties.setProperty("password", password);
        }
        Connection connection = DriverManager.getConnection(jdbcUrl, properties);
        try (var statement = connection.createStatement()) {
            statement.execute("set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set statement_timeout = 0");
        }
        connection.setAutoCommit(false);
        return connection;
    }

    /** Returns a failure with the first line of its cause. */
    static StartupFailure failure(String what, SQLException cause) {
        String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new StartupFailure("%s: %s".formatted(what, reason), cause);
    }

    @Override
    public String toString() {
        return "Login[credentials hidden]";
    }
}
