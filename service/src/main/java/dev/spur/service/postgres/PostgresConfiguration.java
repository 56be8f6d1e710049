package dev.spur.service.postgres;

import dev.spur.service.SpurProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives the connection pool a database: the configured one, or else our own server. */
@Configuration(proxyBeanMethods = false)
class PostgresConfiguration {

    @Bean
    Database database(SpurProperties properties) {
        return properties.database().url().isBlank()
                ? PostgresServer.start(properties.home())
                : ExternalDatabase.connect(DatabaseUrl.of(properties.database()));
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
