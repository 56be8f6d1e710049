package dev.spur.service;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The configuration of Spur. Each component is also an environment variable: {@code spur.database.url} is
 * {@code SPUR_DATABASE_URL}.
 *
 * @param home where Spur keeps its own PostgreSQL and unpacked files; {@code ~/.spur} unless told otherwise
 * @param database the PostgreSQL to use instead of its own
 * @param demo whether to bring a cluster and jobs when there are none yet
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
    }

    /**
     * An external PostgreSQL.
     *
     * @param url as {@code postgresql://user:password@host:port/database} or in the form of JDBC; empty for none
     * @param user wins over the one in the URL
     * @param password wins over the one in the URL
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
