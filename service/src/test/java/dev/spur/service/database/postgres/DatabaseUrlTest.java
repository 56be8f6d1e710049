package dev.spur.service.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.startup.SpurProperties;
import dev.spur.service.startup.StartupFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "postgresql://db:5433/spur,                    jdbc:postgresql://db:5433/spur,             '',   ''",
                "postgres://ann:secret@db/spur,                jdbc:postgresql://db/spur,                  ann,  secret",
                "postgresql://ann:a%40b+c@db/spur,             jdbc:postgresql://db/spur,                  ann,  a@b+c",
                "postgresql://db,                              jdbc:postgresql://db/,                      '',   ''",
                "postgresql://ann@db/spur?sslmode=require,     jdbc:postgresql://db/spur?sslmode=require,  ann,  ''",
                "jdbc:postgresql://db/spur?user=ann,           jdbc:postgresql://db/spur?user=ann,         '',   ''",
                "postgresql://ann@[::1]:5432/spur,             jdbc:postgresql://[::1]:5432/spur,          ann,  ''",
            })
    void understandsBothForms(String given, String jdbcUrl, String user, String password) {
        assertThat(url(given, "", "")).isEqualTo(new DatabaseUrl(jdbcUrl, user, password));
    }

    @Test
    void credentialsGivenApartWin() {
        assertThat(url("postgresql://ann:old@db/spur", "bob", "new"))
                .isEqualTo(new DatabaseUrl("jdbc:postgresql://db/spur", "bob", "new"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql://ann:secret@db/spur", "db:5432", "postgresql://", "postgresql:// secret"})
    void refusesAnythingElseWithoutRepeatingIt(String given) {
        assertThatThrownBy(() -> url(given, "", ""))
                .isInstanceOf(StartupFailure.class)
                .hasMessageStartingWith("SPUR_DATABASE_URL is invalid.")
                .hasMessageNotContaining("secret");
    }

    @Test
    void hidesTheSecretInMessages() {
        assertThat(url("jdbc:postgresql://db/spur?password=secret", "", "")).hasToString("postgresql://db/spur");
    }

    private static DatabaseUrl url(String url, String user, String password) {
        return DatabaseUrl.of(new SpurProperties.Database(url, user, password));
    }
}
