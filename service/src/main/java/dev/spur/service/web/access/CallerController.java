package dev.spur.service.web.access;

import dev.spur.service.security.Principal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the identity and permissions of the caller. */
@RestController
class CallerController {

    /** The caller's own view of its identity; the members are those of {@link Principal}. */
    record View(
            String name,
            List<String> roles,
            @Nullable List<String> tenants,
            @Nullable String node,
            String credential) {}

    @GetMapping("/api/v1/whoami")
    View get(Principal caller) {
        Set<String> tenants = caller.reach().tenants();
        return new View(
                caller.name(),
                caller.roles().stream().map(CallerController::word).sorted().toList(),
                tenants == null ? null : tenants.stream().sorted().toList(),
                caller.reach().node(),
                word(caller.credential()));
    }

    private static String word(Enum<?> constant) {
        return constant.name();
    }
}
