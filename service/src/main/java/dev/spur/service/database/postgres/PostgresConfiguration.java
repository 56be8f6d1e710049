package dev.spur.service.database.postgres;

import dev.spur.service.startup.SpurProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Provides the database of the connection pool: the configured one, or else the embedded server. */
@Configuration(proxyBeanMethods = false)
class PostgresConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresConfiguration.class);

    @Bean
    @SuppressWarnings("FutureReturnValueIgnored") // the returned future is not needed when the process ends
    Database database(SpurProperties properties) {
        Database database = Databases.open(properties);
        if (database instanceof EmbeddedDatabase embedded) {
            embedded.server().loss().thenAccept(PostgresConfiguration::end);
        }
        return database;
    }

    /** Ends the process. A service cannot work without its embedded server; a restart starts both. */
    private static void end(String how) {
        LOG.error("{} The service ends; start it again to recover.", how);
        System.exit(1);
    }

    /** Beans that connect depend on the database, so it stops after them. */
    @Bean
    JdbcConnectionDetails jdbcConnectionDetails(Database database) {
        return new JdbcConnectionDetails() {
            @Override
            public String getJdbcUrl() {
                return database.jdbcUrl();
            }

            @Override
            public String getUsername() {
                return database.user();
            }

            @Override
            public String getPassword() {
                return database.password();
            }
        };
    }
}
