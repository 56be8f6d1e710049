package dev.spur.service.advisories;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.artifact.versioning.ComparableVersion;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Published advisories in the fields of <a href="https://ossf.github.io/osv-schema/">OSV</a>. */
record AdvisoryFile(JsonNode root) {
    static AdvisoryFile read(Path file) {
        return new AdvisoryFile(new JsonMapper().readTree(file));
    }

    /** Returns the day of the newest search for records. */
    LocalDate collected() {
        return LocalDate.parse(root.path("collected").asString());
    }

    /** Returns whether a family of the file has {@code library}. */
    boolean has(Library library) {
        return root.path("families")
                .valueStream()
                .flatMap(family -> family.path("packages").valueStream())
                .anyMatch(name -> matches(name, library));
    }

    /** Returns the advisories that affect the version of {@code library}, also those that are accepted. */
    List<Violation> violations(Library library) {
        List<Violation> violations = new ArrayList<>();
        for (JsonNode advisory : root.path("advisories")) {
            for (JsonNode affected : advisory.path("affected")) {
                if (matches(affected.at("/package/name"), library)) {
                    affected.path("ranges")
                            .valueStream()
                            .filter(range -> contains(range, new ComparableVersion(library.version())))
                            .map(range -> violation(library, advisory, range))
                            .forEach(violations::add);
                }
            }
        }
        return violations;
    }

    List<Acceptance> acceptances() {
        return root.path("accepted")
                .valueStream()
                .flatMap(entry -> entry.path("ids")
                        .valueStream()
                        .map(id -> new Acceptance(
                                entry.path("package"),
                                entry.path("version").asString(),
                                id.asString(),
                                entry.path("reason").asString())))
                .toList();
    }

    private static boolean matches(JsonNode name, Library library) {
        String text = name.asString();
        return text.endsWith("*")
                ? library.name().startsWith(text.substring(0, text.length() - 1))
                : library.name().equals(text);
    }

    /** Evaluates the events of {@code range}, which ascend by version. */
    private static boolean contains(JsonNode range, ComparableVersion version) {
        boolean affected = false;
        for (JsonNode event : range.path("events")) {
            if (event.has("introduced")) {
                affected |= version.compareTo(limit(event, "introduced")) >= 0;
            } else if (event.has("fixed")) {
                affected &= version.compareTo(limit(event, "fixed")) < 0;
            } else {
                affected &= version.compareTo(limit(event, "last_affected")) <= 0;
            }
        }
        return affected;
    }

    private static ComparableVersion limit(JsonNode event, String member) {
        return new ComparableVersion(event.path(member).asString());
    }

    private static Violation violation(Library library, JsonNode advisory, JsonNode range) {
        String ends = range.path("events")
                .valueStream()
                .filter(event -> !event.has("introduced"))
                .map(event -> event.has("fixed")
                        ? "fixed in " + event.path("fixed").asString()
                        : "last affected " + event.path("last_affected").asString())
                .collect(Collectors.joining(", "));
        List<String> ids = Stream.concat(
                        Stream.of(advisory.path("id")), advisory.path("aliases").valueStream())
                .map(JsonNode::asString)
                .toList();
        String message = "%s %s: %s, %s (%s), %s"
                .formatted(
                        library.name(),
                        library.version(),
                        ids.get(0),
                        advisory.path("summary").asString(),
                        ends,
                        advisory.at("/references/0/url").asString());
        return new Violation(library, ids, message);
    }

    /** An advisory on a library of this version. */
    record Violation(Library library, List<String> ids, String message) {}

    /** An advisory that the build prints instead of failing, for one version of a library. */
    record Acceptance(JsonNode name, String version, String id, String reason) {
        boolean covers(Violation violation) {
            return matches(name, violation.library())
                    && version.equals(violation.library().version())
                    && violation.ids().contains(id);
        }
    }

    /** A published library of one version, named as in OSV: {@code group:artifact} of Maven or the name of npm. */
    record Library(String name, String version) {}
}
