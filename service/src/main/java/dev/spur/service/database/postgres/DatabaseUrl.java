package dev.spur.service.database.postgres;

import dev.spur.service.startup.SpurProperties;
import dev.spur.service.startup.StartupFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Address and credentials of a PostgreSQL.
 *
 * @param jdbcUrl JDBC URL; contains credentials only if the configured JDBC URL does
 * @param user empty if none was given
 * @param password empty if none was given
 */
record DatabaseUrl(String jdbcUrl, String user, String password) {

    private static final String JDBC = "jdbc:postgresql:";

    /**
     * Parses {@code jdbc:postgresql:…}, {@code postgresql://user:password@host:port/database?parameters} and the same
     * with {@code postgres:}. A separate user or password takes precedence over the URL.
     */
    static DatabaseUrl of(SpurProperties.Database given) {
        String text = given.url().strip();
        DatabaseUrl url = text.startsWith(JDBC) ? new DatabaseUrl(text, "", "") : parse(text);
        return new DatabaseUrl(
                url.jdbcUrl(),
                given.user().isEmpty() ? url.user() : given.user(),
                given.password().isEmpty() ? url.password() : given.password());
    }

    /** Returns the address without secrets, for messages. */
    String mask() {
        return jdbcUrl.substring("jdbc:".length()).replaceFirst("\\?.*", "");
    }

    @Override
    public String toString() {
        return mask();
    }

    private static DatabaseUrl parse(String text) {
        URI uri = uri(text);
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String[] login = (uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo()).split(":", 2);
        return new DatabaseUrl(
                JDBC + "//" + uri.getHost() + port + path + query,
                decode(login[0]),
                login.length < 2 ? "" : decode(login[1]));
    }

    private static URI uri(String text) {
        try {
            var uri = new URI(text);
            boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
            if (known && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw notUnderstood();
        }
        throw notUnderstood();
    }

    /** The message does not repeat the URL, which may contain a password. */
    private static StartupFailure notUnderstood() {
        return new StartupFailure("SPUR_DATABASE_URL is invalid. "
                + "Expected postgresql://user:password@host:port/database or jdbc:postgresql://host:port/database.");
    }

    /** Decodes percent escapes. A plus sign stays a plus sign and is not decoded as a blank. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
