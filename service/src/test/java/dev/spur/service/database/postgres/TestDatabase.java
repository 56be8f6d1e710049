package dev.spur.service.database.postgres;

import dev.spur.postgres.PostgresServer;
import dev.spur.service.startup.SpurProperties;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.DynamicPropertyRegistry;

/**
 * A database of its own for a test, on one server for the whole run: the one at {@code SPUR_DATABASE_URL} if that is
 * set, otherwise ours in the home of the tests. It goes away when it is closed.
 */
public record TestDatabase(String name, String jdbcUrl, String user, String password) implements AutoCloseable {

    /** Creates an empty database. */
    public static TestDatabase create() {
        return create("");
    }

    /** Creates a database with the tables of Spur, as a copy of one that was migrated once for all. */
    public static TestDatabase migrated() {
        return create(" TEMPLATE " + Template.NAME);
    }

    private static TestDatabase create(String options) {
        String name = "test_" + UUID.randomUUID().toString().replace("-", "");
        Database server = server();
        execute(server.jdbcUrl(), "CREATE DATABASE " + name + options);
        String url = server.jdbcUrl().replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1");
        return new TestDatabase(name, url, server.user(), server.password());
    }

    /** Makes an application context use this database. */
    public void register(DynamicPropertyRegistry registry) {
        registry.add("spur.database.url", this::jdbcUrl);
        registry.add("spur.database.user", this::user);
        registry.add("spur.database.password", this::password);
    }

    /** Drops the database, ending every connection to it. */
    @Override
    public void close() {
        execute(server().jdbcUrl(), "DROP DATABASE %s WITH (FORCE)".formatted(name));
    }

    /** The server that all tests share. */
    static Database server() {
        return Server.SHARED;
    }

    /** What a process is started with to work on this database. */
    public Map<String, String> environment() {
        return Map.of(
                "SPUR_DATABASE_URL", jdbcUrl,
                "SPUR_DATABASE_USER", user,
                "SPUR_DATABASE_PASSWORD", password);
    }

    /** Runs one statement in this database. */
    public void execute(String sql) {
        execute(jdbcUrl, sql);
    }

    /** What a question comes to whose answer is one value. */
    public String text(String sql) {
        try (var connection = DriverManager.getConnection(jdbcUrl, user, password);
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            if (!row.next()) {
                throw new IllegalStateException("no row: " + sql);
            }
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static void execute(String url, String sql) {
        execute(server(), url, sql);
    }

    private static void execute(Database server, String url, String sql) {
        try (var connection = DriverManager.getConnection(url, server.user(), server.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Nobody is connected to it, so that it can be copied. */
    private static final class Template {
        private static final String NAME = make();

        private static String make() {
            TestDatabase empty = create();
            Flyway.configure()
                    .dataSource(empty.jdbcUrl, empty.user, empty.password)
                    .locations("classpath:db/migrations")
                    .load()
                    .migrate();
            return empty.name;
        }
    }

    /** Started by the first test that asks, stopped by the end of the process. */
    private static final class Server {

        private static final Database SHARED = open();

        private static Database open() {
            UnaryOperator<@Nullable String> environment = name -> Objects.requireNonNullElse(System.getenv(name), "");
            String url = environment.apply("SPUR_DATABASE_URL");
            if (url.isBlank()) {
                Database own = new EmbeddedDatabase(PostgresServer.start(Path.of(System.getenv("SPUR_HOME"))));
                // nothing of it is worth waiting for the disk
                execute(own, own.jdbcUrl(), "alter system set fsync = off");
                execute(own, own.jdbcUrl(), "select pg_reload_conf()");
                return own;
            }
            return ExternalDatabase.connect(DatabaseUrl.of(new SpurProperties.Database(
                    url, environment.apply("SPUR_DATABASE_USER"), environment.apply("SPUR_DATABASE_PASSWORD"))));
        }
    }
}
