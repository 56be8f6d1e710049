package dev.spur.service.operations.backup;

import dev.spur.service.startup.SpurProperties;
import java.util.function.Function;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;

/**
 * Spring context of the offline commands (export and restore), with the configuration of the service but no web server.
 */
@ComponentScan(
        basePackageClasses = Archive.class,
        includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Archive.class),
        useDefaultFilters = false)
@EnableConfigurationProperties(SpurProperties.class)
class ArchiveApplication {
    /** Runs {@code work} on the archive and returns its message. */
    static String run(Function<Archive, String> work) {
        try (var context = new SpringApplicationBuilder(ArchiveApplication.class)
                .web(WebApplicationType.NONE)
                .run()) {
            return work.apply(context.getBean(Archive.class));
        }
    }
}
