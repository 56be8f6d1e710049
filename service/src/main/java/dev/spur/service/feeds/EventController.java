package dev.spur.service.feeds;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Stream of events. It writes to the response itself, because an emitter of Spring MVC holds a thread while it writes.
 */
@RestController
class EventController {
    private final EventHub hub;

    EventController(EventHub hub) {
        this.hub = hub;
    }

    @GetMapping("/api/v1/events/stream")
    void stream(
            @RequestParam @Nullable String tenant,
            @RequestParam @Nullable String job,
            @RequestParam(defaultValue = "") List<String> kind,
            @RequestHeader("Last-Event-ID") @Nullable String lastEventId,
            AccessScope scope,
            Principal caller,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        EventFilter filter = new EventFilter(scope, tenant, job, Set.copyOf(kind));
        hub.open(caller.name(), request, response, filter, lastEventId);
    }
}
