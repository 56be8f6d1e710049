package dev.spur.service.startup;

import dev.spur.postgres.SpurHome;
import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.StandardEnvironment;

/**
 * Configuration of Spur. Each component is also an environment variable: {@code spur.database.url} is
 * {@code SPUR_DATABASE_URL}.
 *
 * @param home directory of the embedded PostgreSQL and of unpacked files; default {@code ~/.spur}. The demo has its own
 *     below it, so that no real job waits for a node of the demo
 * @param database external PostgreSQL that replaces the embedded one
 * @param demo whether to create the demo cluster and its jobs if none exist
 */
@ConfigurationProperties("spur")
public record SpurProperties(
        @DefaultValue(DEFAULT_HOME) Path home,
        @DefaultValue Database database,
        @DefaultValue("false") boolean demo) {

    private static final String DEFAULT_HOME = "~/.spur";

    public SpurProperties {
        home = home.startsWith("~")
                ? Path.of(System.getProperty("user.home")).resolve(home.subpath(1, home.getNameCount()))
                : home;
        home = demo ? home.resolve("demo") : home;
    }

    /** Returns true if the embedded PostgreSQL is used. */
    public boolean isEmbedded() {
        return database.url().isBlank();
    }

    /**
     * Checks that this process can lock the home of the embedded PostgreSQL. Commands check this before they start
     * Spring, which takes seconds. Does nothing if an external database is configured.
     *
     * @param demo whether the process runs the demo
     */
    public static void requireFreeHome(boolean demo) {
        SpurProperties properties = current(demo);
        if (properties.isEmbedded()) {
            SpurHome.requireFree(properties.home());
        }
    }

    /**
     * Returns the line that the service prints first. Later lines take seconds.
     *
     * @param demo whether the process runs the demo
     */
    public static String startLine(boolean demo) {
        SpurProperties properties = current(demo);
        return properties.isEmbedded()
                ? "Spur starts, with its own PostgreSQL in %s ...".formatted(properties.home())
                : "Spur starts, with an external PostgreSQL ...";
    }

    private static SpurProperties current(boolean demo) {
        SpurProperties properties = Binder.get(new StandardEnvironment()).bindOrCreate("spur", SpurProperties.class);
        return demo && !properties.demo()
                ? new SpurProperties(properties.home(), properties.database(), true)
                : properties;
    }

    /**
     * An external PostgreSQL.
     *
     * @param url as {@code postgresql://user:password@host:port/database} or as a JDBC URL; empty for none
     * @param user overrides the user in the URL
     * @param password overrides the password in the URL
     */
    public record Database(
            @DefaultValue("") String url,
            @DefaultValue("") String user,
            @DefaultValue("") String password) {

        @Override
        public String toString() {
            return "Database[url and credentials hidden]";
        }
    }
}
