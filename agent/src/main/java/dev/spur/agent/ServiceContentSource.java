package dev.spur.agent;

import dev.spur.agent.aggregator.Content;
import dev.spur.agent.protocol.ServiceClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;

/**
 * Content source that asks the service, for aggregators started by a platform. While the service is unreachable, the
 * last content stays valid.
 */
final class ServiceContentSource implements ContentSource {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int NOT_FOUND = 404;

    private final ServiceClient service;
    private final String path;
    private String known = "";
    private long due = System.nanoTime();

    /** @param key credential of the aggregator */
    ServiceContentSource(URI service, String key) {
        this.service = new ServiceClient(service, Optional::empty);
        this.path = "/keyed/aggregation/%s/content".formatted(key);
    }

    @Override
    public Optional<Content> next() throws SourceClosedException, InterruptedException {
        if (System.nanoTime() - due < 0) {
            return Optional.empty();
        }
        due = System.nanoTime() + PAUSE_NANOS;
        try {
            ServiceClient.Answer answer = service.get(path, TIMEOUT);
            if (answer.status() == NOT_FOUND) {
                throw new SourceClosedException(answer.problem());
            }
            if (!answer.isFine() || answer.body().equals(known)) {
                return Optional.empty();
            }
            Content content = Content.read(answer.body());
            known = answer.body();
            return Optional.of(content);
        } catch (IOException | JacksonException away) {
            return Optional.empty();
        }
    }
}
