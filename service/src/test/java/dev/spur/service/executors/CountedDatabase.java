package dev.spur.service.executors;

import dev.spur.postgres.StatementCounter;
import dev.spur.service.database.postgres.Database;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Connects the service to its database through a proxy that records its statements, with their values as text. */
@TestConfiguration(proxyBeanMethods = false)
class CountedDatabase {
    @Bean
    StatementCounter statementCounter(Database database) {
        return StatementCounter.to(database.jdbcUrl());
    }

    @Bean
    @Primary
    JdbcConnectionDetails countedConnection(Database database, StatementCounter counter) {
        String url = counter.through(database.jdbcUrl());
        String asText = url + (url.contains("?") ? "&" : "?") + "binaryTransfer=false";
        return new JdbcConnectionDetails() {
            @Override
            public String getJdbcUrl() {
                return asText;
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
