package dev.spur.service.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class SpurPropertiesTest {

    @Test
    void theHomeIsBelowTheHomeOfTheUser() {
        assertThat(bind(Map.of()).home()).isEqualTo(Path.of(System.getProperty("user.home"), ".spur"));
    }

    @Test
    void theHomeCanBeElsewhere() {
        assertThat(bind(Map.of("spur.home", "/var/lib/spur")).home()).isEqualTo(Path.of("/var/lib/spur"));
    }

    @Test
    void theDemoHasAHomeOfItsOwn() {
        assertThat(bind(Map.of("spur.home", "/var/lib/spur", "spur.demo", "true"))
                        .home())
                .isEqualTo(Path.of("/var/lib/spur/demo"));
    }

    @Test
    void theFirstLineOfTheDemoNamesItsHome() {
        assumeTrue(System.getenv("SPUR_DATABASE_URL") == null, "an external database is configured");

        assertThat(SpurProperties.startLine(true)).contains("/demo");
    }

    @Test
    void thereIsNoExternalDatabaseUnlessConfigured() {
        assertThat(bind(Map.of()).database().url()).isEmpty();
    }

    @Test
    void neverPrintsThePassword() {
        assertThat(bind(Map.of("spur.database.password", "secret"))).asString().doesNotContain("secret");
    }

    private static SpurProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("spur", SpurProperties.class);
    }
}
