package dev.spur.service.postgres;

import dev.spur.service.SpurProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives the connection pool a database: the configured one, or else our own server. */
@Configuration(proxyBeanMethods = false)
class PostgresConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresConfiguration.class);

    @Bean
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the process needs no witness
    Database database(SpurProperties properties) {
        Database database = Databases.open(properties);
        if (database instanceof PostgresServer server) {
            server.loss().thenAccept(PostgresConfiguration::end);
        }
        return database;
    }

    /** A service whose own server is gone can answer nothing; whoever starts it again starts both. */
    private static void end(String how) {
        LOG.error("{} The service ends; start it again to recover.", how);
        System.exit(1);
    }

    /** Whoever connects depends on the database, so it stops after them. */
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
