package dev.spur.service;

import java.util.function.Function;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.ComponentScan;

/** The part of the service that works without serving, under the same configuration. */
@ComponentScan("dev.spur.service.backup")
@EnableConfigurationProperties(SpurProperties.class)
class ArchiveApplication {
    /** What {@code work} says it did. */
    static String tell(Function<Archive, String> work) {
        try (var context = new SpringApplicationBuilder(ArchiveApplication.class)
                .web(WebApplicationType.NONE)
                .run()) {
            return work.apply(context.getBean(Archive.class));
        }
    }
}
