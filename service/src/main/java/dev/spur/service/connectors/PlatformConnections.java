package dev.spur.service.connectors;

import dev.spur.service.startup.StartupFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** All configured platforms of all kinds. */
@Component
class PlatformConnections {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:+@-]{0,63}");

    private final List<PlatformConnection> all;

    PlatformConnections(List<PlatformKind> kinds) {
        List<PlatformConnection> found = new ArrayList<>();
        Map<String, String> prefixes = new TreeMap<>();
        for (PlatformKind kind : kinds) {
            for (PlatformConnection connection : connectionsOf(kind)) {
                String name = connection.name();
                if (!NAME.matcher(name).matches()) {
                    throw new StartupFailure(
                            "The name \"%s\" under %s is none for a connector: up to 64 letters, digits and . _ : + @ -"
                                    .formatted(name, kind.prefix()));
                }
                String other = prefixes.put(name, kind.prefix());
                if (other != null) {
                    throw new StartupFailure("%s and %s both name their connector %s. Give one of them another name."
                            .formatted(other, kind.prefix(), name));
                }
                found.add(connection);
            }
        }
        all = List.copyOf(found);
    }

    private static List<PlatformConnection> connectionsOf(PlatformKind kind) {
        try {
            return kind.connections();
        } catch (IllegalArgumentException wrong) {
            throw new StartupFailure(
                    "The settings %s are wrong: %s".formatted(kind.prefix(), wrong.getMessage()), wrong);
        }
    }

    /** Returns all platforms. */
    List<PlatformConnection> all() {
        return all;
    }
}
