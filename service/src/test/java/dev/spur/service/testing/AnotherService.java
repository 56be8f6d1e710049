package dev.spur.service.testing;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

/** A further service in the process of the tests. */
public final class AnotherService {
    private AnotherService() {}

    /**
     * Starts one. It leaves logging alone: to configure it anew would cut off whatever the first one has listening to
     * the log.
     */
    public static ConfigurableApplicationContext start(SpringApplicationBuilder service, String... arguments) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try {
            return service.run(arguments);
        } finally {
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }
}
